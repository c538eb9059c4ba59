import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/**
 * The actions of this repository, each with the file that declares it. To add an action, add a folder
 * with an `index.ts` to `src`, and a line here. The build, the docs, the tests, the rehearsals and the
 * benchmark use this list.
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

/** The folder that holds package.json. */
export const repositoryFolder = inRepository('.');

/** The absolute path of a file of this repository. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

const packageSchema = v.object({
  repository: v.pipe(v.string(), v.regex(/^github:[\w.-]+\/[\w.-]+$/)),
});

/** `owner/name` of this repository on GitHub, from package.json. */
export function repositoryName(): string {
  const text = readFileSync(inRepository('package.json'), 'utf8');
  return v.parse(packageSchema, JSON.parse(text)).repository.replace('github:', '');
}
