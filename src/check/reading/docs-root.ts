import { posix } from 'node:path';
import { inputError } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Tree } from '../change.ts';

const maxListed = 10;

/**
 * Finds the navigation file of each version, by path in the repository: in the folder that input `docs-root`
 * names, or else the only docs.json there is. The one of the version before counts, so that a change which
 * adds another one does not turn the docs into something that cannot be found.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @returns paths; if the change took the file away, the version after has none at its path, or another one
 * @throws ActionError if there is no such file, or if there are several
 */
export function findNavigationFiles(
  docsRoot: string | undefined,
  before: Tree,
  after: Tree,
): { readonly before: string; readonly after: string } {
  const [old, now] = [filesIn(before, docsRoot), filesIn(after, docsRoot)];
  const candidates = old.length === 1 ? old : now;
  const [file, ...others] = candidates;
  if (file === undefined || others.length > 0) {
    const problem = rootProblem(docsRoot, candidates);
    throw inputError('docs-root', problem, 'give the folder that has this file');
  }
  const [moved = file] = now;
  return { before: file, after: after.has(file) ? file : moved };
}

function filesIn(tree: Tree, docsRoot: string | undefined): readonly string[] {
  if (docsRoot !== undefined) {
    return [posix.join(docsRoot, 'docs.json')].filter((path) => tree.has(path));
  }
  const isForeign = (path: string) => /(?:^|\/)(?:node_modules|\.[^/]*)\//.test(path);
  return [...tree.keys()]
    .filter((path) => posix.basename(path) === 'docs.json' && !isForeign(path))
    .sort();
}

function rootProblem(docsRoot: string | undefined, files: readonly string[]): string {
  if (docsRoot !== undefined) {
    return `is ${quoted(docsRoot || '.')}, and that folder has no docs.json`;
  }
  const folders = files.slice(0, maxListed).map((file) => quoted(posix.dirname(file)));
  return files.length === 0
    ? 'is empty, and the repository has no docs.json'
    : `is empty, and several folders have a docs.json, such as ${listed(folders)}`;
}
