import { glob, realpath } from 'node:fs/promises';
import { basename, posix, relative, resolve, sep } from 'node:path';
import type { Counts, PageVisitors } from '../platform/visitors.ts';
import { refuseOutside, resolveWorkspace } from '../runner/workspace.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { decoded } from '../text/url.ts';
import type { VisitedPage } from './page-list.ts';

/** A page of the site. */
interface SitePage {
  /** The page's name: the path of its file below the docs, without the extension; `/` for `index.mdx`. Unique. */
  readonly path: string;
  /** The page's file, relative to the workspace; `undefined` if the docs are not checked out. */
  readonly file: string | undefined;
}

/**
 * Pages by address, in lower case. The address of `index.mdx` is empty, that of `guides/Deploy.md` is `/guides/deploy`.
 */
export type SitePages = ReadonlyMap<string, SitePage>;

/** Finds the page at a visited path; `undefined` if there is no such page. */
export type PageFinder = (visited: string) => SitePage | undefined;

/**
 * The pages of the docs; `undefined` if no folder is given.
 *
 * @param docsRoot a folder, relative to the workspace or absolute; can be empty
 * @throws ActionError if the folder is outside the workspace or has no pages
 */
export async function readDocsPages(
  workspace: string,
  docsRoot: string,
): Promise<SitePages | undefined> {
  if (docsRoot === '') {
    return undefined;
  }
  const root = await resolveWorkspace(workspace);
  const folder = await realpath(resolve(root, docsRoot)).catch(() => resolve(root, docsRoot));
  refuseOutside(root, folder, 'docs-root', docsRoot);
  // The pattern already leaves out folders whose names begin with a dot.
  const isOfPackages = (path: string) => basename(path) === 'node_modules';
  const files: string[] = [];
  for await (const file of glob('**/*.{md,mdx}', { cwd: folder, exclude: isOfPackages })) {
    files.push(slashed(file));
  }
  if (files.length === 0) {
    throw inputError(
      'docs-root',
      `names ${quoted(docsRoot)}, and there is no .md or .mdx file in ${quoted(folder)}`,
      'check out the docs in an earlier step, and give their folder',
    );
  }
  const above = slashed(relative(root, folder));
  const pages = new Map<string, SitePage>();
  for (const file of files.sort()) {
    const path = bare(normal(`/${file}`));
    const address = path.toLowerCase();
    if (!pages.has(address)) {
      pages.set(address, { path: path || '/', file: posix.join(above, file) });
    }
  }
  return pages;
}

/**
 * Finds pages by the addresses that visitors use. An address can have a query, percent-encoded letters, a slash
 * at the end, the extension of the Markdown that AI tools fetch (`.md`), and the name of a folder's index. In the docs,
 * pages are also found by another case and below the site's base path.
 *
 * @param docsPages the pages of the docs, which alone give pages their names, because visitors choose the paths
 *   that they visit; if `undefined`, every visited path is a page
 * @param visits used to guess the site's base path: the prefix that most visits share
 */
export function createPageFinder(
  docsPages: SitePages | undefined,
  visits: readonly PageVisitors[],
): PageFinder {
  if (docsPages === undefined) {
    return (visited) => ({ path: bare(pathOf(visited)) || '/', file: undefined });
  }
  const find: PageFinder = (path) => docsPages.get(bare(path).toLowerCase());
  const base = findBase(find, visits);
  return (visited) => {
    const path = pathOf(visited);
    return path.startsWith(base) ? find(path.slice(base.length)) : undefined;
  };
}

/** Removes the extension of a Markdown file, and `/index`, the name of a folder's own page. */
function bare(path: string): string {
  return path.replace(/\.mdx?$/iu, '').replace(/\/index$/iu, '');
}

/** How many segments a base path has at most. Sites are served at paths such as `/docs` or `/en/docs`. */
const maxBaseDepth = 2;

/** Guesses the path that the site is served at: most visits find a page if this prefix is removed. Empty in doubt. */
function findBase(find: PageFinder, visits: readonly PageVisitors[]): string {
  const totals = new Map([['', 0]]);
  for (const visit of visits) {
    const path = pathOf(visit.path);
    const segments = path.split('/').slice(0, -1);
    for (let depth = 0; depth <= maxBaseDepth && depth < segments.length; depth += 1) {
      const base = segments.slice(0, depth + 1).join('/');
      if (find(path.slice(base.length)) !== undefined) {
        totals.set(base, (totals.get(base) ?? 0) + visit.total);
      }
    }
  }
  return [...totals].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

/** Removes the query, the fragment and slashes at the end of a visited path, and decodes the rest. */
function pathOf(visited: string): string {
  return normal(decoded(visited.replace(/[?#].*$/su, '')));
}

/**
 * Removes slashes at the end, and spells letters with accents in one way, because file systems and browsers spell them
 * in different ways.
 */
function normal(path: string): string {
  let end = path.length;
  // A regular expression takes very long for thousands of slashes.
  while (path[end - 1] === '/') {
    end -= 1;
  }
  return path.slice(0, end).normalize('NFC');
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** A page with the figures of all its addresses. */
export interface FoldedPage extends VisitedPage {
  /** As in `SitePage`. */
  readonly file?: string | undefined;
}

export interface FoldedPages {
  /** One row for each page, by the page's name. */
  readonly pages: readonly FoldedPage[];
  /** The rows whose paths are no pages of the docs; empty if the docs are not checked out. */
  readonly others: readonly VisitedPage[];
}

/**
 * Merges the rows of all addresses of a page. Counts of unique visitors cannot be added, so each figure of a
 * page is the highest among its addresses: at least as many visitors read the page.
 */
export function foldAddresses(rows: readonly VisitedPage[], find: PageFinder): FoldedPages {
  const pages = new Map<string, FoldedPage>();
  const others: VisitedPage[] = [];
  for (const row of rows) {
    const page = find(row.path);
    if (page === undefined) {
      others.push(row);
    } else {
      const before = pages.get(page.path);
      pages.set(page.path, { ...(before ? highestOf(before, row) : row), ...page });
    }
  }
  return { pages: [...pages.values()], others };
}

/** If the previous figures of one address are unknown, the previous figures of the page are unknown, too. */
function highestOf(a: VisitedPage, b: VisitedPage): VisitedPage {
  const previous = a.previous && b.previous && highestCounts(a.previous, b.previous);
  return { ...a, ...highestCounts(a, b), previous };
}

function highestCounts(a: Counts, b: Counts): Counts {
  return {
    human: Math.max(a.human, b.human),
    ai: Math.max(a.ai, b.ai),
    total: Math.max(a.total, b.total),
  };
}
