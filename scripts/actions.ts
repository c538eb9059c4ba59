import { fileURLToPath } from 'node:url';

/**
 * The actions of this repository, with the file that declares each: a third one is a folder of `src`
 * with an `index.ts`, and a line here. Build, documents, tests, rehearsal and bench read this list.
 */
export const actionFiles = {
  agent: 'action.yml',
  visitors: 'visitors/action.yml',
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

/** The absolute path of a file of this repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
