import type { ChangedFile, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { finalEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import type { GapList } from './gap-list.ts';
import type { PagePool } from './page-pool.ts';
import { isCodePath, isInside, isPagePath } from './paths.ts';
import { questionsOf } from './questions.ts';
import { createSearch } from './search.ts';
import type { Texts, VersionFile } from './texts.ts';

/** What it takes to read unchanged files. */
export interface UnchangedDeps {
  readonly texts: Texts;
  readonly pool: PagePool;
  readonly gaps: GapList;
}

/** The unchanged pages and snippets that the rules need, by path in the repository. */
export type UnchangedPages = ReadonlyMap<string, Page>;

/** A chain of snippets that include each other. */
const mostRounds = 4;

/**
 * Reads and parses the unchanged pages that matter: those that may use what the change took away, those
 * to whose anchors changed pages link, and the snippets that any of these include. Where the change took
 * nothing away, no other page is read.
 *
 * @throws the signal's reason if the run is cancelled
 */
export async function readUnchangedPages(
  files: readonly ChangedFile[],
  before: DocsVersion,
  after: DocsVersion,
  deps: UnchangedDeps,
): Promise<UnchangedPages> {
  const changed = new Set(files.map(({ path }) => path));
  const search = createSearch(questionsOf(files, before, after));
  const hits = search === undefined ? [] : await searchPages(search, changed, after, deps);
  let wanted = [...hits, ...needsOf(files, before, after)];
  const found = new Map<string, Page>();
  for (let round = 0; round < mostRounds && wanted.length > 0; round += 1) {
    const pages = await parse(wanted, deps);
    for (const [path, page] of pages) {
      found.set(path, page);
    }
    const known = new Set([...changed, ...found.keys()]);
    wanted = importsOf(pages, after).flatMap((path) => unchangedFile(path, known, after));
  }
  return found;
}

/** Reads all unchanged pages, and returns those with a hit. */
async function searchPages(
  search: (text: string) => boolean,
  changed: ReadonlySet<string>,
  after: DocsVersion,
  { texts, gaps }: UnchangedDeps,
): Promise<readonly VersionFile[]> {
  const files = [...unchangedPagesOf(changed, after), ...unchangedCodeOf(changed, after)];
  const missing = [...(await texts.read(files))].filter(([path]) => isPagePath(path));
  gaps.addAll(
    new Map(
      missing.map(([path, reason]) => [
        path,
        reason.kind === 'unread'
          ? `the page could not be searched for links to what is gone, because ${reason.problem}`
          : 'the file is binary, although it is a page',
      ]),
    ),
  );
  return files.filter(({ entry }) => search(texts.textOf(entry.sha) ?? ''));
}

/** The unchanged pages and snippets of the docs. */
export function unchangedPagesOf(
  changed: ReadonlySet<string>,
  { tree, site }: DocsVersion,
): readonly VersionFile[] {
  return [...tree]
    .filter(([path]) => isPagePath(path) && !changed.has(path))
    .filter(([path]) => ['page', 'snippet'].includes(kindOf(path, site)))
    .map(([path, entry]) => ({ path, entry }));
}

/** More is no code of a documentation site, but a program in whose repository it lies. */
const mostCodeFiles = 200;
const largestCodeBytes = 200_000;

/** The unchanged components, scripts and style sheets of the docs. */
function unchangedCodeOf(
  changed: ReadonlySet<string>,
  { tree, site }: DocsVersion,
): readonly VersionFile[] {
  const files = [...tree]
    .filter(([path]) => isCodePath(path) && isInside(site.root, path) && !changed.has(path))
    .filter(([, { bytes }]) => bytes <= largestCodeBytes)
    .map(([path, entry]) => ({ path, entry }));
  return files.length <= mostCodeFiles ? files : [];
}

/**
 * The unchanged pages to whose anchors changed pages link now, and the snippets that these include. What
 * they linked to before is not this change's fault.
 */
function needsOf(
  files: readonly ChangedFile[],
  before: DocsVersion,
  after: DocsVersion,
): readonly VersionFile[] {
  const links = linksOf(after);
  const targets = files.flatMap(({ path, previousPath = path }) => {
    const old = new Set(before.pages.get(previousPath)?.links.map(({ target }) => target));
    const now = after.pages.get(path)?.links ?? [];
    return now
      .filter(({ target }) => target.includes('#') && (path !== previousPath || !old.has(target)))
      .map(({ target }) => finalEnd(links.resolve(target, path)))
      .flatMap((end) => (end.kind === 'page' ? [end.file] : []));
  });
  const changed = new Set(files.map(({ path }) => path));
  const wanted = new Set([...targets, ...importsOf(after.pages, after)]);
  return [...wanted].flatMap((path) => unchangedFile(path, changed, after));
}

function importsOf(pages: ReadonlyMap<string, Page>, after: DocsVersion): readonly string[] {
  const links = linksOf(after);
  const files = [...pages].flatMap(([path, { imports }]) =>
    imports.map(({ source }) => links.resolveImport(source, path)),
  );
  return [...new Set(files)].filter((file) => file !== undefined);
}

function unchangedFile(
  path: string,
  known: ReadonlySet<string>,
  { tree }: DocsVersion,
): readonly VersionFile[] {
  const entry = tree.get(path);
  return entry === undefined || known.has(path) || !isPagePath(path) ? [] : [{ path, entry }];
}

async function parse(
  files: readonly VersionFile[],
  { texts, pool, gaps }: UnchangedDeps,
): Promise<ReadonlyMap<string, Page>> {
  await texts.read(files);
  await pool.parse(files);
  const pages = new Map<string, Page>();
  for (const { path, entry } of files) {
    const page = pool.pageOf(path, entry);
    if (page === undefined) {
      gaps.add(path, 'the page was not read, so whether it uses what changed is not known');
    } else {
      pages.set(path, page);
    }
  }
  return pages;
}
