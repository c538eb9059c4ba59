import { glob, realpath } from 'node:fs/promises';
import { basename, posix, relative, resolve, sep } from 'node:path';
import type { PageVisitors } from '../platform/visitors.ts';
import { refuseOutside, resolveWorkspace } from '../runner/workspace.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { decoded } from '../text/url.ts';

/** A page of the site: one object for all addresses of the page. */
export interface SitePage {
  /** The page's name: the path of its file below the docs, without the extension; `/` for `index.mdx`. */
  readonly path: string;
  /** The page's file, relative to the workspace; `undefined` if the docs are not checked out. */
  readonly file: string | undefined;
}

/** Pages by their addresses: empty for `index.mdx`, `/guides/deploy` for `guides/deploy.md`. */
export type SitePages = ReadonlyMap<string, SitePage>;

/** Finds the page of a visited path; `undefined` if the path is of no page. */
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
  // The pattern itself finds nothing in folders whose names begin with a dot.
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
    const address = normal(`/${file}`.replace(/(?:\/index)?\.mdx?$/u, ''));
    if (!pages.has(address)) {
      pages.set(address, { path: address || '/', file: posix.join(above, file) });
    }
  }
  return pages;
}

/**
 * Finds pages by the addresses that visitors use: with a query, percent-encoded, with a slash at the end, as
 * the Markdown that AI tools fetch (`.md`), as a folder's index, in another case if only one page can be meant,
 * or below the path that the site is served at.
 *
 * @param docsPages the pages of the docs, so that every name comes from the checkout, since visitors choose
 *   the paths that they visit; `undefined` if the docs are not checked out: then the visited paths are the names
 * @param visits used to guess the site's base path: the prefix that most visits share
 */
export function createPageFinder(
  docsPages: SitePages | undefined,
  visits: readonly PageVisitors[],
): PageFinder {
  if (docsPages === undefined) {
    const visited = visitedPages(visits);
    return (path) => pageAt(visited, pathOf(path));
  }
  const find = createDocsFinder(docsPages);
  const base = findBase(find, visits);
  return (visited) => {
    const path = pathOf(visited);
    return path.startsWith(base) ? find(path.slice(base.length)) : undefined;
  };
}

function visitedPages(visits: readonly PageVisitors[]): SitePages {
  const paths = visits.map((visit) => pathOf(visit.path));
  return new Map(paths.map((path) => [path, { path: path || '/', file: undefined }]));
}

/** Finds a page of the docs by its address below the site's base path. */
function createDocsFinder(pages: SitePages): PageFinder {
  const byLowerCase = new Map<string, SitePage | undefined>();
  for (const [address, page] of pages) {
    const key = address.toLowerCase();
    byLowerCase.set(key, byLowerCase.has(key) ? undefined : page);
  }
  return (address) => pageAt(pages, address) ?? byLowerCase.get(bare(address).toLowerCase());
}

function pageAt(pages: SitePages, address: string): SitePage | undefined {
  return pages.get(bare(address)) ?? pages.get(address);
}

/** An address without what asks for its Markdown, or for the index of a folder. */
function bare(address: string): string {
  return address.replace(/\.mdx?$/iu, '').replace(/\/index$/iu, '');
}

/** A site is served at a path such as `/docs`, and hardly below more than two. */
const maxBaseDepth = 2;

/** Guesses the path that the site is served at: the one below which most visits find a page. Empty in doubt. */
function findBase(find: PageFinder, visits: readonly PageVisitors[]): string {
  const totals = new Map([['', 0]]);
  for (const { path, total } of visits) {
    const parts = pathOf(path).split('/');
    for (let depth = 0; depth <= maxBaseDepth && depth + 1 < parts.length; depth += 1) {
      const base = parts.slice(0, depth + 1).join('/');
      if (find(`/${parts.slice(depth + 1).join('/')}`) !== undefined) {
        totals.set(base, (totals.get(base) ?? 0) + total);
      }
    }
  }
  return [...totals].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

/** A visited path without its query, fragment, escapes, and slashes at the end. */
function pathOf(visited: string): string {
  return normal(decoded(visited.replace(/[?#].*$/su, '')));
}

/** File systems and browsers spell letters with accents in different ways. */
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
