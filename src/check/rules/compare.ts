import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import type { Page } from '../docs/page.ts';
import { oncePer } from '../once-per.ts';
import { kindIn, pageNameOf } from './page-path.ts';

/** A page or snippet that changed, as it was and as it is; a side that does not exist is `undefined`. */
export interface ChangedPage {
  readonly file: ChangedFile;
  readonly before: Page | undefined;
  readonly after: Page | undefined;
}

/** A page that was parsed before and after. */
export interface EditedPage extends ChangedPage {
  readonly before: Page;
  readonly after: Page;
}

/** Where a changed file was before; a new file was nowhere. */
export function pathBefore({ path, previousPath }: ChangedFile): string {
  return previousPath ?? path;
}

type Sides = Pick<Change, 'files' | 'before' | 'after'>;

/** The changed pages and snippets; other Markdown, such as instructions for agents, is no part of the site. */
export function changedPages(change: Sides): readonly ChangedPage[] {
  const { before, after } = change;
  return changedMarkdown(change).filter(
    ({ file }) => isOfSite(before, pathBefore(file)) || isOfSite(after, file.path),
  );
}

/** All changed Markdown of the docs' folder, whether the site shows it or not. */
export function changedMarkdown({ files, before, after }: Sides): readonly ChangedPage[] {
  return files
    .filter(({ path }) => /\.mdx?$/iu.test(path))
    .filter(
      (file) =>
        pageNameOf(pathBefore(file), before.site) !== undefined ||
        pageNameOf(file.path, after.site) !== undefined,
    )
    .map((file) => ({
      file,
      before: file.status === 'added' ? undefined : before.pages.get(pathBefore(file)),
      after: file.status === 'deleted' ? undefined : after.pages.get(file.path),
    }))
    .filter((page) => page.before !== undefined || page.after !== undefined);
}

/** The changed pictures that can hold code. */
export function changedPictures(change: Change): readonly ChangedPage[] {
  return changedOthers(change, ({ path }) => /\.svg$/iu.test(path));
}

/** The changed descriptions of APIs. */
export function changedDescriptions(change: Change): readonly ChangedPage[] {
  return changedOthers(
    change,
    (file) =>
      kindIn(change.after, file.path) === 'api-description' ||
      kindIn(change.before, pathBefore(file)) === 'api-description',
  );
}

function changedOthers(
  { files, before, after }: Change,
  isWanted: (file: ChangedFile) => boolean,
): readonly ChangedPage[] {
  return files.filter(isWanted).map((file) => ({
    file,
    before: before.pages.get(pathBefore(file)),
    after: after.pages.get(file.path),
  }));
}

function isOfSite(version: DocsVersion, path: string): boolean {
  const kind = kindIn(version, path);
  return kind === 'page' || kind === 'snippet';
}

/**
 * The pages that were read wholly before and after, so that something missing was lost. A page that
 * cannot be parsed is a gap already.
 */
export function editedPages(change: Change): readonly EditedPage[] {
  return changedPages(change).filter(
    (page): page is EditedPage =>
      page.before !== undefined &&
      page.before.problem === undefined &&
      page.after !== undefined &&
      page.after.problem === undefined,
  );
}

/** The items of `after` that `before` lacks. One that occurs three times and did twice is new once. */
export function newItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  for (const item of before) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return after.filter((item) => {
    const key = keyOf(item);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Text whose line breaks and indentation do not count. */
export function withPlainSpaces(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * Whether a passage stood in a page that could not be parsed as it was, so that what the page consisted
 * of is not known. The marks of a comment do not count: mistaken ones are what such a page is mended of.
 */
export function stoodUnparsed({ file, before }: ChangedPage, text: string): boolean {
  return (
    before?.problem !== undefined &&
    plainTextBefore(file).includes(withPlainSpaces(withoutCommentMarks(text)))
  );
}

export function withoutCommentMarks(text: string): string {
  return text.replace(/^(?:\{\s*\/\*|<!--)|(?:\*\/\s*\}|-->)$/gu, '');
}

/** It may be long, and be searched for very many passages. */
export const plainTextBefore = oncePer(({ before }: ChangedFile) => withPlainSpaces(before ?? ''));

/** A line of a file, from 1. */
export interface Line {
  readonly text: string;
  readonly line: number;
}

export function linesOf(text: string | undefined): readonly Line[] {
  return text === undefined
    ? []
    : text.split(/\r\n|\r|\n/u).map((line, index) => ({ text: line, line: index + 1 }));
}

/** The lines that a file has now and did not have before, wherever they stood. */
export function newLines({ before, after }: ChangedFile): readonly Line[] {
  return newItems(linesOf(before), linesOf(after), ({ text }) => text);
}
