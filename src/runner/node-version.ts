import { appendFileSync } from 'node:fs';

/** What `runs.using` asks for; a runner that takes Node from elsewhere, such as act, may not heed it. */
const leastMajor = 24;

/**
 * Ends the step with one sentence where Node is too old for what is bundled, which would crash while
 * it is loaded. So this comes before everything else, and does without it.
 *
 * @returns whether Node is too old
 */
export function refuseOldNode(process: NodeJS.Process): boolean {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= leastMajor) {
    return false;
  }
  const message = explainOldNode(node);
  const outputFile = process.env['GITHUB_OUTPUT'] ?? '';
  if (outputFile !== '') {
    appendFileSync(outputFile, `result=error\nreason=bad-input\nmessage=${message}\n`);
  }
  process.stdout.write(`::error::${message}\n`);
  process.exitCode = 1;
  return true;
}

function explainOldNode(version: string): string {
  return `This action runs on Node ${leastMajor}, and this is Node ${version}: use a runner of version 2.327.1 or later, and where a runner takes Node from PATH or from an image, put Node ${leastMajor} there.`;
}
