import type { Change, ChangedFile } from '../change.ts';
import { isAllowed, isToolData } from '../docs/kinds.ts';
import { isShown, kindIn, pathBefore } from './page-changes.ts';

/** What a changed file is to the docs, as far as its path tells; `undefined` for a plain one. */
export function fileProblem(change: Change, file: ChangedFile): string | undefined {
  return pathProblem(change, file) ?? entryProblem(change, file);
}

function pathProblem(change: Change, file: ChangedFile): string | undefined {
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
      return kind;
    }
  }
  const isSecond =
    /(?:^|\/)(?:docs|mint)\.json$/u.test(path) &&
    !after.site.files.includes(path) &&
    status !== 'deleted';
  return isSecond && !isAllowed(path, 'other', allowedPaths) ? 'second-site' : undefined;
}

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

/** Whether every new line of an overview for agents stands on a page of this change: a tool keeps up with them. */
function isOverview(
  change: Change,
  { path, status, before = '', after = '' }: ChangedFile,
): boolean {
  if (status !== 'modified' || !/(?:^|\/)llms[\w-]*\.txt$/u.test(path)) {
    return false;
  }
  const pages = change.files.filter((file) => isShown(change.after, file.path));
  const texts = pages.map((file) => plainText(`${file.after ?? ''} /${file.path}`));
  const old = new Set(before.split('\n'));
  return after.split('\n').every((line) => {
    const parts = old.has(line) ? [] : line.split(/https?:\/\/[^\s)]+|\]\(|\):/u).map(plainText);
    return parts.every((part) => part === '' || texts.some((text) => text.includes(part)));
  });
}

/** Words without the marks of Markdown around them. */
function plainText(text: string): string {
  return text
    .replace(/^\s*Source:/u, '')
    .replace(/[#*_`>[\]()|"'\\-]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A link or a program can stand behind the name of a page. */
function entryProblem({ before, after }: Change, file: ChangedFile): string | undefined {
  const is = after.tree.get(file.path)?.kind ?? 'file';
  if (is === 'file' || is === before.tree.get(pathBefore(file))?.kind) {
    return undefined;
  }
  // Some file systems make every file executable. No program runs a page that names none in its first line.
  const isText =
    /\.mdx?$/iu.test(file.path) && file.after !== undefined && !file.after.startsWith('#!');
  return is === 'executable' && isText ? undefined : is;
}
