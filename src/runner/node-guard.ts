import { appendFileSync, writeSync } from 'node:fs';

/** What `runs.using` asks for; a runner that takes Node from elsewhere, such as act, may not heed it. */
const leastMajor = 24;

/**
 * The only module that does something when it is imported, and an entry imports it first: where Node
 * is too old, the libraries crash while they are loaded, so one sentence has to come before them.
 */
if (Number.parseInt(process.versions.node, 10) < leastMajor) {
  refuse(explainOldNode(process.versions.node));
}

function explainOldNode(version: string): string {
  return `This action runs on Node ${leastMajor}, and this is Node ${version}: use a runner of version 2.327.1 or later, and where a runner takes Node from PATH or from an image, put Node ${leastMajor} there.`;
}

function refuse(message: string): never {
  const outputFile = process.env['GITHUB_OUTPUT'] ?? '';
  if (outputFile !== '') {
    appendFileSync(outputFile, `result=error\nreason=bad-input\nmessage=${message}\n`);
  }
  writeSync(process.stdout.fd, `::error::${message}\n`);
  process.exit(1);
}
