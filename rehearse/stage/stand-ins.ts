import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders to use instead of published repositories, by `owner/name@reference`. */
export type StandIns = Readonly<Record<string, string>>;

/** The key of a value of `uses:` in `StandIns`: `owner/name@reference`, without a path. */
export function repositoryOf(uses: string): string {
  return uses.replace(/^([^/]+\/[^/@]+)[^@]*/, '$1');
}

/**
 * Creates stand-ins for third-party actions and workflows, which only print that they were skipped.
 * The workflow that uses them stays unchanged.
 *
 * @param folder gets the stand-ins
 * @param uses values of `uses:`
 */
export function createStandIns(folder: string, uses: readonly string[]): StandIns {
  const roots: Record<string, string> = {};
  for (const each of uses) {
    const path = /^[^/@]+\/[^/@]+\/?([^@]*)@./.exec(each)?.[1];
    // act refuses all other values.
    if (path !== undefined && !path.split('/').includes('..')) {
      const repository = repositoryOf(each);
      roots[repository] ??= join(folder, String(Object.keys(roots).length));
      const notice = `npm run try skips ${each}, because it does not run third-party actions.`;
      const target = join(roots[repository], path);
      if (/\.ya?ml$/.test(path)) {
        write(target, noticeWorkflow(notice));
      } else {
        writeAction(target, noticeScript(notice));
      }
    }
  }
  return roots;
}

/**
 * Creates a stand-in for actions/checkout. act itself copies the repository for a step that uses
 * actions/checkout without inputs. This stand-in also does so for a step that names the repository or
 * one of its branches, and skips other repositories.
 *
 * @param folder gets the stand-in
 * @param references references to actions/checkout
 * @param repository the folder to copy
 */
export function createCheckoutStandIn(
  folder: string,
  references: readonly string[],
  repository: string,
): StandIns {
  writeAction(folder, checkoutScript(repository));
  return Object.fromEntries(references.map((reference) => [reference, folder]));
}

function noticeScript(notice: string): string {
  return `console.log('::notice::' + ${JSON.stringify(notice)});\n`;
}

function checkoutScript(repository: string): string {
  return `const { cpSync } = require('node:fs');
const { resolve } = require('node:path');
const { INPUT_REPOSITORY, INPUT_REF, INPUT_PATH, GITHUB_REPOSITORY, GITHUB_WORKSPACE } = process.env;
if (INPUT_REPOSITORY && INPUT_REPOSITORY !== GITHUB_REPOSITORY) {
  console.log('::notice::npm run try skips the checkout of ' + INPUT_REPOSITORY + ', because it only has ' + GITHUB_REPOSITORY + '.');
} else {
  const to = resolve(GITHUB_WORKSPACE, INPUT_PATH || '.');
  cpSync(${JSON.stringify(repository)}, to, { recursive: true, verbatimSymlinks: true });
  console.log('::notice::npm run try has one commit of ' + GITHUB_REPOSITORY + ', and checks it out for ' + (INPUT_REF || 'every branch') + '.');
}
`;
}

function noticeWorkflow(notice: string): string {
  const step = { run: 'echo "::notice::$NOTICE"', env: { NOTICE: notice } };
  return JSON.stringify({
    on: { workflow_call: {} },
    jobs: { skipped: { 'runs-on': 'ubuntu-latest', steps: [step] } },
  });
}

/** @param script the code that the action runs */
function writeAction(folder: string, script: string): void {
  const runs = { using: 'node24', main: 'main.cjs' };
  write(join(folder, 'action.yml'), JSON.stringify({ name: 'Stand-in', description: '', runs }));
  write(join(folder, 'main.cjs'), script);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
