import type { Change, ChangedFile, DocsVersion, Sides } from '../change.ts';
import { type FileKind, kindOf } from '../docs/kinds.ts';
import { importsOf, type LinkTargets } from '../docs/links.ts';
import { emptyPage, type Page } from '../docs/page.ts';
import { hasReadableNavigation } from '../docs/site.ts';
import { oncePer } from '../once-per.ts';

/** A page or a snippet of the site that changed, as it was and as it is. */
export interface PageChange {
  readonly file: ChangedFile;
  /** Empty for a new page that is no copy of another page. */
  readonly before: Page;
  readonly after: Page;
}

/** The changed pages and snippets that the site shows, as far as both versions could be read. */
export const pageChangesOf = oncePer((change: Change): readonly PageChange[] =>
  change.files
    .filter(({ path }) => isShown(change.after, path) && couldBeRead(path, change))
    .flatMap((file) => {
      const before = change.before.pages.get(originOf(file.path, change)) ?? emptyPage;
      const after = change.after.pages.get(file.path);
      return after !== undefined && after.problem === undefined ? [{ file, before, after }] : [];
    }),
);

/** Whether the page at a path could be read before the change, or is new. Otherwise, nobody knows what is new in it. */
export function couldBeRead(path: string, change: Change): boolean {
  const origin = originOf(path, change);
  return !unreadFiles(change).has(origin) && change.before.pages.get(origin)?.problem === undefined;
}

const unreadFiles = oncePer(
  ({ unread }: Change) => new Set(unread.map(({ places: [{ file }] }) => file)),
);

/**
 * Whether the settings of both versions can be read. Otherwise, nobody knows what they led to, or what is new in them.
 * Docs that are new had no settings.
 */
export function canCompareSettings({ before, after }: Sides): boolean {
  const isNew = before.site.files.size === 0;
  return hasReadableNavigation(after) && (isNew || hasReadableNavigation(before));
}

/**
 * The file that a translated file was translated from: `guides/setup.mdx` or `en/guides/setup.mdx` for
 * `fr/guides/setup.mdx`. Returns the path itself if it is in no folder of another language of the navigation, or if no
 * such file exists.
 */
export function sourceOf(path: string, { tree, site }: LinkTargets): string {
  const [main = '', ...others] = site.languages;
  const segments = path.split('/');
  const index = segments.findIndex((segment) => others.includes(segment));
  if (index === -1) return path;
  const sources = [segments.toSpliced(index, 1), segments.with(index, main)];
  return sources.map((source) => source.join('/')).find((source) => tree.has(source)) ?? path;
}

/** The page that a file is, or was, a translation of; the file itself if it is none. */
export function sourceOfFile(file: string, { before, after }: Sides): string {
  const now = sourceOf(file, after);
  return now === file ? sourceOf(file, before) : now;
}

/** The path of a changed file before the change. For a new file: the path that it has now. */
export function pathBefore({ path, previousPath }: ChangedFile): string {
  return previousPath ?? path;
}

/** Where the file at this path was before the change; for a copy, where its original was. */
export function originOf(path: string, change: Change): string {
  return originsIn(change).get(path) ?? path;
}

const originsIn = oncePer(({ files, copies }: Change) => {
  return new Map([...files.map((file) => [file.path, pathBefore(file)] as const), ...copies]);
});

/** What a file is, given what the pages of the version import. */
export function kindIn(version: DocsVersion, path: string): FileKind {
  return kindOf(path, version.site, importedFiles(version));
}

const importedFiles = oncePer((version: DocsVersion) => importsOf(version.pages, version));

/** Whether the site shows a file: as a page, or in pages that include it. */
export function isShown(version: DocsVersion, path: string): boolean {
  const kind = kindIn(version, path);
  return kind === 'page' || kind === 'snippet';
}

export function wasShown(file: ChangedFile, { before }: Sides): boolean {
  return file.status !== 'added' && isShown(before, pathBefore(file));
}

export function isShownNow({ path, status }: ChangedFile, { after }: Sides): boolean {
  return status !== 'deleted' && isShown(after, path);
}

/** Whether a page's front matter switches something on. */
export function isOn(page: Page | undefined, field: string): boolean {
  return (page?.frontMatter ?? []).some(
    ({ name, json }) => name === field && /^"?true"?$/u.test(json),
  );
}

/** A text in a page's front matter, such as its title; empty if there is none. */
export function fieldOf(page: Page | undefined, field: string): string {
  const json = page?.frontMatter.find(({ name }) => name === field)?.json;
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' ? value : '';
}
