import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import { isBuilt } from './built.ts';
import { kindOf } from './kinds.ts';
import type { Site } from './site.ts';

/** The addresses that a site has, below its root and without slashes at the ends. */
export interface Addresses {
  /** The page's file; the letters' case counts. */
  page(address: string): string | undefined;
  /** The same where case does not count. */
  similarPage(address: string): string | undefined;
  /** Whether pages lie in it or deeper. */
  isFolder(address: string): boolean;
  /** Whether something may be at that path below the root that the tree does not show as a file. */
  isUncertain(path: string): boolean;
}

/** What Mintlify serves itself. */
const served =
  /^(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|skill\.md|mcp|login|logout|feedback|openapi-specs\.download|\.well-known\/.+|_next\/.+|_mintlify\/.+|(?:.+\/)?rss\.xml)$/;

export function createAddresses(tree: Tree, site: Site): Addresses {
  const pages = new Map<string, string>();
  const similar = new Map<string, string>();
  const folders = new Set<string>();
  const hidden = new Set<string>();
  const made = madePages(tree, site);
  for (const [path, { kind }] of tree) {
    if (kind === 'symlink' || kind === 'submodule') hidden.add(path);
    if (!/\.mdx?$/i.test(path) || kindOf(path, site) !== 'page') continue;
    const address = addressOf(path, site);
    const known = pages.get(address);
    if (known !== undefined && rank(known) <= rank(path)) continue;
    pages.set(address, path);
    similar.set(address.toLowerCase(), path);
    for (const folder of parentsOf(address)) folders.add(folder);
  }
  return {
    page: (address) => pages.get(address),
    similarPage: (address) => similar.get(address.toLowerCase()),
    isFolder: (address) => folders.has(address),
    isUncertain(path) {
      const address = plainAddress(path);
      const file = posix.join(site.root, path);
      return (
        isServed(path) ||
        folders.has(address) ||
        isBelow(address, site.apiFolders) ||
        made.has(address) ||
        // Behind a symlink or a submodule, the tree shows nothing.
        (hidden.size > 0 && [file, ...parentsOf(file)].some((at) => hidden.has(at)))
      );
    },
  };
}

/** `docs/guides/index.mdx` has the address `guides`, and `docs/index.mdx` the empty one. */
export function addressOf(path: string, site: Pick<Site, 'root'>): string {
  return plainAddress(site.root === '' ? path : path.slice(site.root.length + 1));
}

/** Whether Mintlify or the reader puts something into an address: `{name}`, `<name>`, `$NAME`. */
export function isVague(address: string): boolean {
  return /\{.*\}|<.*>|\$[\w{]/.test(address);
}

/** Without the endings that lead to the same page. */
export function plainAddress(path: string): string {
  return path
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.(?:mdx?|html)$/i, '')
    .replace(/(?:^|\/)index$/i, '');
}

/** What a build makes pages of is not known, but the navigation names them. */
function madePages(tree: Tree, site: Site): ReadonlySet<string> {
  return new Set(isBuilt({ tree, site }) ? site.pages.map(({ page }) => page) : []);
}

/** Where no page has the address of the root, Mintlify serves the first one of the navigation there. */
function isServed(path: string): boolean {
  return served.test(path) || plainAddress(posix.normalize(`/${path}`)) === '';
}

/** Of two files with one address, `x.mdx` comes before `x.md`, and that one before `x/index.mdx`. */
function rank(path: string): number {
  const isIndex = /(?:^|\/)index\.mdx?$/i.test(path);
  return (isIndex ? 2 : 0) + (path.endsWith('.mdx') ? 0 : 1);
}

function isBelow(address: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === '' || `${address}/`.startsWith(`${folder}/`));
}

function parentsOf(path: string): readonly string[] {
  const parents: string[] = [];
  for (let at = posix.dirname(path); at !== '.' && at !== '/'; at = posix.dirname(at)) {
    parents.push(at);
  }
  return parents;
}
