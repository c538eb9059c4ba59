import { posix } from 'node:path';
import { inputError } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Tree } from '../change.ts';
import { isInside } from './paths.ts';
import type { UnreadList } from './unread-list.ts';

/** The navigation file of each version, by path in the repository. A version may lack its file. */
export interface NavigationFiles {
  readonly before: string;
  readonly after: string;
}

/** The first one wins where a folder has both. */
const names = ['docs.json', 'mint.json'] as const;

const mostListed = 10;

/**
 * Finds the navigation files: in the folder that input `docs-root` names, or else in the only folder
 * that has one. A change that takes the file away, or adds a second one, does not turn the docs into
 * something that cannot be found: then what was there before the change counts.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @throws ActionError if there is no such file, or if there are several
 */
export function findNavigationFiles(
  docsRoot: string | undefined,
  before: Tree,
  after: Tree,
  unread: UnreadList,
): NavigationFiles {
  const old = filesIn(before, docsRoot);
  const now = filesIn(after, docsRoot);
  const [candidates, isGone] = now.length === 0 ? [old, true] : [now, false];
  const chosen = choose(candidates, old, docsRoot);
  if (isGone) {
    unread.add(chosen, 'the change takes the navigation file away, so the docs cannot be read');
    return { before: chosen, after: chosen };
  }
  const sameFolder = old.find((file) => posix.dirname(file) === posix.dirname(chosen));
  if (sameFolder !== undefined) {
    return { before: sameFolder, after: chosen };
  }
  const [moved] = old;
  if (moved === undefined || old.length > 1) {
    return { before: chosen, after: chosen };
  }
  unread.add(
    chosen,
    `the change moves the navigation file from ${moved}, so the addresses of pages cannot be compared`,
  );
  return { before: moved, after: chosen };
}

function choose(
  candidates: readonly string[],
  old: readonly string[],
  docsRoot: string | undefined,
): string {
  const [first, ...others] = candidates;
  if (first === undefined) {
    const problem =
      docsRoot === undefined
        ? 'is empty, and the repository has no docs.json or mint.json'
        : `is ${quoted(docsRoot || '.')}, and that folder has no docs.json or mint.json`;
    throw inputError('docs-root', problem, 'give the folder that has this file');
  }
  if (others.length === 0) {
    return first;
  }
  const [was, ...otherOld] = old;
  if (was !== undefined && otherOld.length === 0) {
    const folder = posix.dirname(was);
    const same = candidates.find((file) => posix.dirname(file) === folder);
    if (same !== undefined) {
      return same;
    }
  }
  const shown = candidates.slice(0, mostListed).map((file) => quoted(posix.dirname(file)));
  const rest = candidates.length - shown.length;
  throw inputError(
    'docs-root',
    `is empty, and several folders have a docs.json or mint.json: ${listed(rest > 0 ? [...shown, `${rest} more`] : shown)}`,
    'give one of them',
  );
}

/** One for each folder. */
function filesIn(tree: Tree, docsRoot: string | undefined): readonly string[] {
  if (docsRoot !== undefined) {
    const file = names.map((name) => posix.join(docsRoot, name)).find((path) => tree.has(path));
    return file === undefined ? [] : [file];
  }
  const files = [...tree.keys()].filter((path) => isNavigationFile(path) && !isForeign(path));
  const folders = new Set(files.map((path) => posix.dirname(path)));
  return [...folders].sort().flatMap((folder) => {
    const file = names.map((name) => posix.join(folder, name)).find((path) => files.includes(path));
    return file === undefined ? [] : [file];
  });
}

function isNavigationFile(path: string): boolean {
  return names.some((name) => name === posix.basename(path));
}

function isForeign(path: string): boolean {
  return path.split('/').some((part) => part === 'node_modules' || part.startsWith('.'));
}

/** The folder of the docs; empty for the top. */
export function rootOf(navigationFile: string): string {
  const folder = posix.dirname(navigationFile);
  return folder === '.' ? '' : folder;
}

/** Whether a path lies in the docs, before or after the change. */
export function isInDocs({ before, after }: NavigationFiles, path: string): boolean {
  return isInside(rootOf(before), path) || isInside(rootOf(after), path);
}
