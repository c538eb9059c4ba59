import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

/**
 * The actions of this repository, each with the file that declares it. To add an action, add a folder
 * with an `index.ts` to `src`, and a line here. The build, the docs, the tests, the rehearsals, the
 * benchmark and the notes of a release use this list.
 *
 * This file imports no npm packages, so that the job that drafts a release need not install any.
 */
export const actionFiles = {
  agent: 'action.yml',
  visitors: 'visitors/action.yml',
  check: 'check/action.yml',
} as const;

export type Action = keyof typeof actionFiles;

export const actions = Object.keys(actionFiles).filter(
  (name): name is Action => name in actionFiles,
);

/** Absolute paths of an action's committed bundle, and of the file that declares it. */
export function bundleOf(action: Action): { readonly entry: string; readonly actionFile: string } {
  return {
    entry: inRepository(`dist/${action}/index.js`),
    actionFile: inRepository(actionFiles[action]),
  };
}

/** The path of an action's README in this repository. */
export function readmeOf(action: Action): string {
  return join(dirname(actionFiles[action]), 'README.md');
}

/** What follows the repository's name in `uses:`; empty for the action at the top. */
export function subfolderOf(action: Action): string {
  const folder = dirname(actionFiles[action]);
  return folder === '.' ? '' : `/${folder}`;
}

/** The folder that holds package.json. */
export const repositoryFolder = inRepository('.');

/** The absolute path of a file of this repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** `owner/name` of this repository on GitHub, from package.json. */
export function repositoryName(): string {
  const text = readFileSync(inRepository('package.json'), 'utf8');
  const { repository }: Record<string, unknown> = JSON.parse(text);
  const [, name] = /^github:([\w.-]+\/[\w.-]+)$/.exec(String(repository)) ?? [];
  if (name === undefined) {
    throw new Error('package.json has no "repository" such as "github:owner/name".');
  }
  return name;
}
