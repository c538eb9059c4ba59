import { posix } from 'node:path';
import { inputError } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Tree } from '../change.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { say } from '../sentence.ts';

/** The navigation file of each version, by path in the repository. A version may lack its file. */
export interface NavigationFiles {
  readonly before: string;
  readonly after: string;
}

/** The first one wins where a folder has both. */
const names = ['docs.json', 'mint.json'] as const;

const maxListed = 10;

/**
 * Finds the navigation files: in the folder that input `docs-root` names, or else in the only folder
 * that has one. A change that takes the file away, or adds a second one, does not turn the docs into
 * something that cannot be found: then what was there before the change counts.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @param unread gets what cannot be compared
 * @throws ActionError if there is no such file, or if there are several
 */
export function findNavigationFiles(
  docsRoot: string | undefined,
  before: Tree,
  after: Tree,
  unread: RuleFinding[],
): NavigationFiles {
  const old = filesIn(before, docsRoot);
  const now = filesIn(after, docsRoot);
  const candidates = now.length === 0 ? old : now;
  const [was] = old.length === 1 ? old : [];
  const file = candidates.length === 1 ? candidates[0] : inFolderOf(was, candidates);
  if (file === undefined) {
    throw candidates.length === 0 ? noFile(docsRoot) : severalFiles(candidates);
  }
  const same = inFolderOf(file, old);
  if (now.length === 0) {
    const problem = say`the change takes the navigation file away, so the docs cannot be read`;
    unread.push(unjudged({ file }, problem));
  } else if (same === undefined && was !== undefined) {
    const problem = say`the change moves the navigation file from ${was}, so the addresses of pages cannot be compared`;
    unread.push(unjudged({ file }, problem));
  }
  return { before: same ?? was ?? file, after: file };
}

/** One for each folder. */
function filesIn(tree: Tree, docsRoot: string | undefined): readonly string[] {
  const isForeign = (path: string) => /(?:^|\/)(?:node_modules|\.[^/]*)\//.test(path);
  const folders =
    docsRoot === undefined
      ? [...tree.keys()]
          .filter((path) => names.some((name) => name === posix.basename(path)))
          .filter((path) => !isForeign(path))
          .map((path) => posix.dirname(path))
      : [docsRoot];
  return [...new Set(folders)].sort().flatMap((folder) => {
    const file = names.map((name) => posix.join(folder, name)).find((path) => tree.has(path));
    return file === undefined ? [] : [file];
  });
}

function inFolderOf(file: string | undefined, files: readonly string[]): string | undefined {
  return file === undefined
    ? undefined
    : files.find((one) => posix.dirname(one) === posix.dirname(file));
}

function noFile(docsRoot: string | undefined) {
  const problem =
    docsRoot === undefined
      ? 'is empty, and the repository has no docs.json or mint.json'
      : `is ${quoted(docsRoot || '.')}, and that folder has no docs.json or mint.json`;
  return inputError('docs-root', problem, 'give the folder that has this file');
}

function severalFiles(files: readonly string[]) {
  const shown = files.slice(0, maxListed).map((file) => quoted(posix.dirname(file)));
  const rest = files.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  const problem = `is empty, and several folders have a docs.json or mint.json: ${listed(all)}`;
  return inputError('docs-root', problem, 'give one of them');
}
