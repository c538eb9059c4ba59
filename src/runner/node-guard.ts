import { appendFileSync, writeSync } from 'node:fs';

/** The version in `runs.using`. Some runners, such as act, use another version of Node. */
const leastMajor = 24;

/**
 * The only module with a side effect. Entries import it first, because with an old Node the libraries
 * crash while they load, before they can report a useful error.
 */
if (Number.parseInt(process.versions.node, 10) < leastMajor) {
  refuse(explainOldNode(process.versions.node));
}

function explainOldNode(version: string): string {
  return `This action runs on Node ${leastMajor}, and this is Node ${version}: use a runner of version 2.327.1 or later, and if the runner takes Node from PATH or from an image, install Node ${leastMajor} there.`;
}

function refuse(message: string): never {
  const outputFile = process.env['GITHUB_OUTPUT'] ?? '';
  if (outputFile !== '') {
    appendFileSync(outputFile, `result=error\nreason=bad-input\nmessage=${message}\n`);
  }
  writeSync(process.stdout.fd, `::error::${message}\n`);
  process.exit(1);
}
