import type { Change, ChangedFile } from '../change.ts';
import { type FileKind, isAllowed, isPagePath, isToolData } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import { type Sentence, say } from '../sentence.ts';
import { newItems, wordsOf } from './match.ts';
import { isShown, kindIn, pathBefore } from './page-changes.ts';

/** Why a changed file is not plain, whatever stands in it; `undefined` for a plain one. */
export function fileProblem(change: Change, file: ChangedFile): Sentence | undefined {
  return pathProblem(change, file) ?? entryProblem(change, file);
}

function pathProblem(change: Change, file: ChangedFile): Sentence | undefined {
  const { path, status } = file;
  const { before, after, allowedPaths } = change;
  const sides = [
    ...(status === 'added' ? [] : [{ at: pathBefore(file), version: before }]),
    ...(status === 'deleted' ? [] : [{ at: path, version: after }]),
  ];
  for (const { at, version } of sides) {
    const kind = kindIn(version, at);
    const isPlain =
      isPlainFile(at, kind, status === 'modified') ||
      isAllowed(at, kind, allowedPaths) ||
      isOverview(change, file);
    if (!isPlain) {
      return reasons.get(kind) ?? say`The file is none that docs usually consist of.`;
    }
  }
  const isSecond =
    /(?:^|\/)(?:docs|mint)\.json$/u.test(path) &&
    !after.site.files.has(path) &&
    status !== 'deleted';
  return isSecond && !isAllowed(path, 'other', allowedPaths)
    ? say`The file describes a second site.`
    : undefined;
}

const reasons: ReadonlyMap<FileKind, Sentence> = new Map([
  ['runs', say`The file can run on the site, in CI or on a computer.`],
  ['for-agents', say`AI agents take the file for instructions.`],
  ['media', say`A file of this kind can contain more than a picture.`],
  ['readme', say`The file is for readers of the repository, not of the site.`],
  ['outside', say`The file lies outside of the docs.`],
]);

function isPlainFile(path: string, kind: string, isOld: boolean): boolean {
  switch (kind) {
    case 'page':
    case 'snippet':
    case 'navigation':
    case 'api-description':
      return true;
    case 'media':
      return /\.(?:png|jpe?g|gif|webp|avif|ico|mp4|webm|mov)$/iu.test(path);
    case 'readme':
      return isOld;
    default:
      return isOld && isToolData(path);
  }
}

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
  const isOnPage = (text: string) => pages.some((page) => page.includes(text));
  return newItems(before.split('\n'), now.split('\n'), String).every(
    (line) =>
      textsOf(line).every(isOnPage) &&
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
  if (is === 'file' || is === before.tree.get(pathBefore(file))?.kind) {
    return undefined;
  }
  // Some file systems make every file executable. No program runs a page that names none in its first line.
  const isText = isPagePath(file.path) && file.after !== undefined && !file.after.startsWith('#!');
  switch (is) {
    case 'executable':
      return isText ? undefined : say`The file became executable.`;
    case 'symlink':
      return say`The file became a link to another file.`;
    case 'submodule':
      return say`The file became a submodule.`;
  }
}
