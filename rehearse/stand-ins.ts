import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryOf } from './uses.ts';

/** Folders that stand in for repositories of others, by `owner/name@reference`. */
export type StandIns = Readonly<Record<string, string>>;

/**
 * Puts something harmless where a workflow uses what lies in other repositories: it says that it was
 * left out, and does nothing. The workflow itself stays as it is.
 *
 * @param folder gets the stand-ins
 * @param uses values of `uses:`
 */
export function standInForOthers(folder: string, uses: readonly string[]): StandIns {
  const roots: Record<string, string> = {};
  for (const each of uses) {
    const path = /^[^/@]+\/[^/@]+\/?([^@]*)@./.exec(each)?.[1];
    // act refuses anything else.
    if (path !== undefined && !path.split('/').includes('..')) {
      const repository = repositoryOf(each);
      roots[repository] ??= join(folder, String(Object.keys(roots).length));
      const sentence = `npm run try leaves ${each} out: it plays no actions of others.`;
      const isWorkflow = /\.ya?ml$/.test(path);
      const place = join(roots[repository], path);
      isWorkflow ? write(place, sayingWorkflow(sentence)) : writeAction(place, saying(sentence));
    }
  }
  return roots;
}

/**
 * act copies the repository itself where a step checks it out without further ado. This does so where
 * the step names it, or one of its branches, and leaves other repositories out.
 *
 * @param references by which names actions/checkout is used
 * @param repository the folder that is checked out
 */
export function standInForCheckout(
  folder: string,
  references: readonly string[],
  repository: string,
): StandIns {
  writeAction(folder, checkingOut(repository));
  return Object.fromEntries(references.map((reference) => [reference, folder]));
}

function saying(sentence: string): string {
  return `console.log('::notice::' + ${JSON.stringify(sentence)});\n`;
}

function checkingOut(repository: string): string {
  return `const { cpSync } = require('node:fs');
const { resolve } = require('node:path');
const { INPUT_REPOSITORY, INPUT_REF, INPUT_PATH, GITHUB_REPOSITORY, GITHUB_WORKSPACE } = process.env;
if (INPUT_REPOSITORY && INPUT_REPOSITORY !== GITHUB_REPOSITORY) {
  console.log('::notice::npm run try leaves the checkout of ' + INPUT_REPOSITORY + ' out.');
} else {
  const to = resolve(GITHUB_WORKSPACE, INPUT_PATH || '.');
  cpSync(${JSON.stringify(repository)}, to, { recursive: true, verbatimSymlinks: true });
  console.log('::notice::npm run try has one state of a repository; it stands for ' + (INPUT_REF || 'this one') + ', too.');
}
`;
}

function sayingWorkflow(sentence: string): string {
  const step = { run: 'echo "::notice::$SENTENCE"', env: { SENTENCE: sentence } };
  return JSON.stringify({
    on: { workflow_call: {} },
    jobs: { 'left-out': { 'runs-on': 'ubuntu-latest', steps: [step] } },
  });
}

/** @param script what the action does */
function writeAction(folder: string, script: string): void {
  const runs = { using: 'node24', main: 'main.cjs' };
  write(join(folder, 'action.yml'), JSON.stringify({ name: 'Stand-in', description: '', runs }));
  write(join(folder, 'main.cjs'), script);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
