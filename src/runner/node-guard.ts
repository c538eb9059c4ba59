import { appendFileSync, writeSync } from 'node:fs';
import type { Runner } from './runner.ts';

/** The version in `runs.using`. Some runners, such as act, use another version of Node. */
const leastMajor = 24;

/** What an action's `main.ts` exports. */
interface Action {
  readonly main: (runner: Runner) => Promise<void>;
}

/**
 * Runs an action. Nothing else is loaded before the check, because with an old Node the libraries crash
 * while they load, before they can report a useful error.
 */
export async function start(process: NodeJS.Process, load: () => Promise<Action>): Promise<void> {
  refuseOldNode(process);
  const [{ runnerOf }, { main }] = await Promise.all([import('./runner.ts'), load()]);
  await main(runnerOf(process));
}

/** Ends the process if its Node is too old. */
export function refuseOldNode({ versions, env, stdout, exit }: NodeJS.Process): void {
  if (Number.parseInt(versions.node, 10) >= leastMajor) {
    return;
  }
  const message = explainOldNode(versions.node);
  const outputFile = env['GITHUB_OUTPUT'] ?? '';
  if (outputFile !== '') {
    appendFileSync(outputFile, `result=error\nreason=bad-input\nmessage=${message}\n`);
  }
  writeSync(stdout.fd, `::error::${message}\n`);
  exit(1);
}

function explainOldNode(version: string): string {
  return `This action runs on Node ${leastMajor}, and this is Node ${version}: use a runner of version 2.327.1 or later, and if the runner takes Node from PATH or from an image, install Node ${leastMajor} there.`;
}
