import type { Change, ChangedFile } from '../change.ts';
import { type FileKind, isAllowed, isInside } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import { type Sentence, say } from '../sentence.ts';
import { isShown, kindIn, pathBefore } from './page-changes.ts';
import { newItems, wordsOf } from './text.ts';

/** Why a changed file is not plain, whatever stands in it; `undefined` for a plain one. */
export function fileProblem(change: Change, file: ChangedFile): Sentence | undefined {
  return pathProblem(change, file) ?? entryProblem(change, file);
}

function pathProblem(change: Change, file: ChangedFile): Sentence | undefined {
  const { before, after, allowedPaths } = change;
  const { path, status } = file;
  const sides = [
    ...(status === 'added' ? [] : [{ at: pathBefore(file), version: before }]),
    ...(status === 'deleted' ? [] : [{ at: path, version: after }]),
  ];
  const plain = status === 'modified' ? [...plainKinds, ...plainKindsOfOld] : plainKinds;
  const odd = sides.find(
    ({ at, version }) => !plain.includes(kindIn(version, at)) && !isAllowed(at, allowedPaths),
  );
  if (odd === undefined || isOverview(change, file)) {
    return undefined;
  }
  return isInside(odd.version.site.root, odd.at)
    ? say`The file is none that docs usually consist of.`
    : say`The file lies outside of the docs.`;
}

const plainKinds: readonly FileKind[] = [
  'page',
  'snippet',
  'picture',
  'navigation',
  'api-description',
];

/** Plain where the file existed at the same place. */
const plainKindsOfOld: readonly FileKind[] = ['readme', 'tool-data'];

/** Whether the words of all new lines of an overview for agents stand on pages of this change: a tool wrote them. */
function isOverview(
  { files, after, known }: Change,
  { path, status, before = '', after: now = '' }: ChangedFile,
): boolean {
  if (status !== 'modified' || !/(?:^|\/)llms[\w-]*\.txt$/u.test(path)) {
    return false;
  }
  const pages = files
    .filter((file) => isShown(after, file.path))
    .map((file) => textsOf(`${file.after ?? ''} ${file.path}`).join(' '));
  return newItems(before.split('\n'), now.split('\n'), String).every(
    (line) =>
      textsOf(line).every((text) => pages.some((page) => page.includes(text))) &&
      addressesIn(line).every((address) => known.hasAddress(address)),
  );
}

/** The words between the links of a text. */
function textsOf(text: string): readonly string[] {
  return text.split(/^Source:|\]\([^)]*\)|https?:[^\s)]*/mu).map((part) => wordsOf(part).join(' '));
}

/** A link or a program can stand behind the name of a page. */
function entryProblem({ before, after }: Change, file: ChangedFile): Sentence | undefined {
  const is = after.tree.get(file.path)?.kind ?? 'file';
  const was = before.tree.get(pathBefore(file))?.kind;
  // Some file systems make every file executable.
  return is === 'file' || (is === 'executable' && was === is)
    ? undefined
    : say`The file is ${[is === 'executable' ? 'executable now' : `a ${is}`]}, which can be more than a page.`;
}
