import { posix } from 'node:path';
import { inputError } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Tree } from '../change.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { say } from '../sentence.ts';

const maxListed = 10;

/**
 * Finds the navigation file of each version, by path in the repository: in the folder that input `docs-root`
 * names, or else the only docs.json there is. A change that takes the file away, or adds a second one, does
 * not turn the docs into something that cannot be found: then what was there before the change counts.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @param unread gets what cannot be compared
 * @returns paths; a version may lack its file
 * @throws ActionError if there is no such file, or if there are several
 */
export function findNavigationFiles(
  docsRoot: string | undefined,
  before: Tree,
  after: Tree,
  unread: RuleFinding[],
): { readonly before: string; readonly after: string } {
  const [old, now] = [filesIn(before, docsRoot), filesIn(after, docsRoot)];
  const candidates = now.length === 0 ? old : now;
  const [was] = old.length === 1 ? old : [];
  const file =
    candidates.length === 1 ? candidates[0] : candidates.find((candidate) => candidate === was);
  if (file === undefined) {
    throw candidates.length === 0 ? noFile(docsRoot) : severalFiles(candidates);
  }
  if (now.length === 0) {
    const problem = say`the change takes the navigation file away, so the docs cannot be read`;
    unread.push(unjudged({ file }, problem));
  } else if (was !== undefined && was !== file) {
    const problem = say`the change moves the navigation file from ${was}, so the addresses of pages cannot be compared`;
    unread.push(unjudged({ file }, problem));
  }
  return { before: was ?? file, after: file };
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

function noFile(docsRoot: string | undefined) {
  const problem =
    docsRoot === undefined
      ? 'is empty, and the repository has no docs.json'
      : `is ${quoted(docsRoot || '.')}, and that folder has no docs.json`;
  return inputError('docs-root', problem, 'give the folder that has this file');
}

function severalFiles(files: readonly string[]) {
  const shown = files.slice(0, maxListed).map((file) => quoted(posix.dirname(file)));
  const rest = files.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  const problem = `is empty, and several folders have a docs.json: ${listed(all)}`;
  return inputError('docs-root', problem, 'give one of them');
}
