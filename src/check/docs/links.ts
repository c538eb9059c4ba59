import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { isPagePath, kindOf } from './kinds.ts';
import type { Page } from './page.ts';
import { createRedirects, type Redirects } from './redirects.ts';
import type { Site } from './site.ts';

/** One version of the docs. */
export interface LinkTargets {
  readonly tree: Tree;
  readonly site: Site;
}

/** Where a link leads in the end, whatever the redirects on its way. `anchor` is without `#`, and decoded. */
export type LinkEnd =
  | { readonly kind: 'page'; readonly file: string; readonly anchor: string | undefined }
  /** Any other file of the repository. */
  | { readonly kind: 'file'; readonly file: string }
  /** On the page that has the link. */
  | { readonly kind: 'anchor'; readonly anchor: string }
  | { readonly kind: 'other-host' }
  /** Cannot be told: made from an API description, served by Mintlify, not written out, no web address. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nowhere' };

export interface Links {
  /**
   * Generous where sites differ: `nowhere` is certain, as far as the files tell.
   *
   * @param target as it is written
   * @param from the file that has the link, by path in the repository
   */
  resolve(target: string, from: string): LinkEnd;
  /** The file that an `import` or a `<Snippet file>` means; `undefined` where it is not in the repository. */
  resolveImport(source: string, from: string): string | undefined;
  /** Whether the address of a page that is gone still leads somewhere: by a redirect, or to another file. */
  isRedirected(path: string): boolean;
}

/** What the links of a version lead to. */
export const linksOf = oncePer((version: LinkTargets): Links => new Resolver(version));

/** Chains of more redirects than browsers follow. */
const maxRedirects = 10;
const wildcard = /[*:]/;

const otherHost = { kind: 'other-host' } as const;
const unknown = { kind: 'unknown' } as const;
const nowhere = { kind: 'nowhere' } as const;

class Resolver implements Links {
  private readonly tree: Tree;
  private readonly site: Site;
  private readonly redirects: Redirects;
  private readonly own: URL | undefined;
  /** Such as `/docs`, where the settings tell; otherwise empty. */
  private readonly base: string;
  /** The files of pages by address. */
  private readonly pages = new Map<string, string>();
  /** The same in lower case. */
  private readonly similarPages = new Map<string, string>();
  /** Addresses below which pages lie. */
  private readonly folders = new Set<string>();
  /** What a build makes pages of is not known, but the navigation names them. */
  private readonly made: ReadonlySet<string>;
  private readonly ends = new Map<string, LinkEnd>();

  constructor({ tree, site }: LinkTargets) {
    this.tree = tree;
    this.site = site;
    this.redirects = createRedirects(site);
    this.own = site.address === undefined ? undefined : new URL(site.address);
    this.base = this.own?.pathname.replace(/\/+$/, '') ?? '';
    this.made = new Set(isBuilt({ tree, site }) ? site.pages.map(({ page }) => page) : []);
    for (const path of tree.keys()) {
      if (isPagePath(path) && kindOf(path, site) === 'page') {
        this.addPage(path);
      }
    }
  }

  resolve(target: string, from: string): LinkEnd {
    const written = target.trim();
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(written)) {
      return this.resolveUrl(written);
    }
    const { path, anchor } = partsOf(written);
    // Mintlify or the reader puts something into `{name}`, `<name>` and `$NAME`.
    if (written === '' || /\{.*\}|<.*>|\$[\w{]/.test(written)) {
      return unknown;
    }
    if (path === '') {
      return anchor === undefined ? unknown : { kind: 'anchor', anchor };
    }
    return withAnchor(this.resolvePath(path, from, 0), anchor);
  }

  resolveImport(source: string, from: string): string | undefined {
    const { path } = partsOf(source);
    const { root } = this.site;
    const folders = path.startsWith('/')
      ? [root]
      : [posix.dirname(from), root, posix.join(root, '_snippets')];
    const below = path.replace(/^\/+/, '');
    // An older name of the folder: what lies in `_snippets` is imported from `/snippets`.
    const names = [below, below.replace(/^snippets\//, '_snippets/')];
    return folders
      .flatMap((folder) => names.map((name) => posix.join(folder, name)))
      .find((file) => this.tree.has(file));
  }

  isRedirected(path: string): boolean {
    const address = addressOf(path, this.site);
    if (this.pages.has(address)) {
      return true;
    }
    const below = posix.relative(`/${this.site.root}`, `/${path}`);
    const end = this.followRedirect(address, 0) ?? this.followRedirect(below, 0);
    return end !== undefined && end.kind !== 'nowhere';
  }

  private addPage(path: string): void {
    const address = addressOf(path, this.site);
    const known = this.pages.get(address);
    if (known === undefined || rank(known) > rank(path)) {
      this.pages.set(address, path);
      this.similarPages.set(address.toLowerCase(), path);
      for (const folder of parentsOf(address)) {
        this.folders.add(folder);
      }
    }
  }

  private resolveUrl(target: string): LinkEnd {
    const address = target.startsWith('//') ? `https:${target}` : target;
    const url = /^https?:/i.test(address) ? URL.parse(address) : null;
    if (url === null) {
      return unknown;
    }
    if (url.host !== this.own?.host || !`${url.pathname}/`.startsWith(`${this.base}/`)) {
      return otherHost;
    }
    const { path, anchor } = partsOf(url.pathname + url.hash);
    const end = this.resolveBelowRoot(path, 0);
    // A host may serve more than the docs, so that nothing there is certainly nowhere.
    return end === undefined || end.kind === 'nowhere' ? otherHost : withAnchor(end, anchor);
  }

  private resolvePath(path: string, from: string, redirects: number): LinkEnd {
    const isAbsolute = path.startsWith('/');
    const key = `${redirects}${isAbsolute ? path : `${from}\n${path}`}`;
    const paths = isAbsolute ? [path.slice(1)] : this.relativePaths(path, from);
    const end =
      this.ends.get(key) ??
      this.resolveFirst(paths, redirects) ??
      // A relative link in a snippet depends on the page that includes it.
      ((!isAbsolute && kindOf(from, this.site) === 'snippet') ||
      paths.some((below) => this.isUncertain(below) || this.isUncertain(this.belowBase(below)))
        ? unknown
        : nowhere);
    this.ends.set(key, end);
    return end;
  }

  /**
   * Mintlify resolves `./x` and `../x` by the file's folder, and checks `x` by the root. Browsers go
   * by the address of the page, which may end in a slash.
   */
  private relativePaths(path: string, from: string): readonly string[] {
    const below = posix.relative(`/${this.site.root}`, `/${from}`);
    const folder = posix.dirname(below);
    const bases = [folder, '.', plainAddress(below), posix.dirname(folder)];
    return bases.map((base) => posix.join(base, path));
  }

  private resolveFirst(paths: readonly string[], redirects: number): LinkEnd | undefined {
    for (const path of paths) {
      const end = this.resolveBelowRoot(path, redirects);
      if (end !== undefined) {
        return end;
      }
    }
    return undefined;
  }

  /** @param path below the root; it may lead out of it by `..` */
  private resolveBelowRoot(path: string, redirects: number): LinkEnd | undefined {
    const address = plainAddress(posix.normalize(`/${path}`));
    const below = this.belowBase(address);
    return (
      pageEnd(this.pages.get(address)) ??
      this.fileEnd(path) ??
      this.followRedirect(path, redirects) ??
      (path === address ? undefined : this.followRedirect(address, redirects)) ??
      pageEnd(this.similarPages.get(address.toLowerCase())) ??
      (below === undefined
        ? undefined
        : (pageEnd(this.pages.get(below)) ??
          this.fileEnd(below) ??
          this.followRedirect(below, redirects)))
    );
  }

  private fileEnd(path: string): LinkEnd | undefined {
    const file = posix.join(this.site.root, path);
    if (!this.tree.has(file)) {
      return undefined;
    }
    return kindOf(file, this.site) === 'page' ? pageEnd(file) : { kind: 'file', file };
  }

  private followRedirect(address: string, redirects: number): LinkEnd | undefined {
    // Some sites write their base path in redirects, and some do not.
    const match =
      this.redirects.match(address) ??
      (this.base === '' ? undefined : this.redirects.match(`${this.base}/${address}`));
    if (match === undefined) {
      return undefined;
    }
    const { destination, redirect } = match;
    if (redirects >= maxRedirects) {
      return nowhere;
    }
    if (URL.canParse(destination)) {
      return this.resolveUrl(destination);
    }
    const { path, anchor } = partsOf(destination);
    // A wildcard that nothing fills, though the source has some: their names may mean the same.
    const isOpen = wildcard.test(path) && wildcard.test(redirect.source);
    const below = path.replace(/^\/+/, '');
    return withAnchor(isOpen ? unknown : this.resolvePath(`/${below}`, '', redirects + 1), anchor);
  }

  /** Whether something may be at that path below the root that the tree does not show as a file. */
  private isUncertain(path: string | undefined): boolean {
    if (path === undefined) {
      return false;
    }
    const address = plainAddress(path);
    const file = posix.join(this.site.root, path);
    return (
      served.test(path) ||
      // Where no page has the address of the root, Mintlify serves the first one of the navigation there.
      plainAddress(posix.normalize(`/${path}`)) === '' ||
      this.folders.has(address) ||
      this.made.has(address) ||
      this.site.apiFolders.some((one) => one === '' || `${address}/`.startsWith(`${one}/`)) ||
      // Behind a symlink or a submodule, the tree shows nothing.
      [file, ...parentsOf(file)].some((at) =>
        ['symlink', 'submodule'].includes(this.tree.get(at)?.kind ?? ''),
      )
    );
  }

  /**
   * Links of a site that is served under `/docs` may begin with that. Where the settings do not tell the
   * base path, any first segment may be it that is nothing else.
   */
  private belowBase(address: string): string | undefined {
    const base = this.base.slice(1);
    if (base !== '' && `${address}/`.startsWith(`${base}/`)) {
      return address.slice(base.length + 1);
    }
    const [first = '', ...rest] = address.split('/');
    const isOwn = this.folders.has(first) || this.pages.has(first);
    return isOwn || rest.length === 0 ? undefined : rest.join('/');
  }
}

/** The files that pages and snippets include. */
export function importsOf(
  pages: ReadonlyMap<string, Page>,
  version: LinkTargets,
): ReadonlySet<string> {
  const links = linksOf(version);
  const files = [...pages].flatMap(([path, page]) =>
    page.links.flatMap(({ kind, target }) =>
      kind === 'import' ? (links.resolveImport(target, path) ?? []) : [],
    ),
  );
  return new Set(files);
}

function pageEnd(file: string | undefined): LinkEnd | undefined {
  return file === undefined ? undefined : { kind: 'page', file, anchor: undefined };
}

/** The same with the anchor of the link that leads there. One in a redirect wins, as it does in a browser. */
function withAnchor(end: LinkEnd, anchor: string | undefined): LinkEnd {
  return end.kind === 'page' ? { ...end, anchor: end.anchor ?? anchor } : end;
}

/** An address without its query, decoded. */
function partsOf(target: string): { readonly path: string; readonly anchor: string | undefined } {
  const [beforeAnchor = '', ...rest] = target.split('#');
  const [path = ''] = beforeAnchor.split('?');
  const anchor = rest.join('#');
  return { path: decoded(path), anchor: anchor === '' ? undefined : decoded(anchor) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What Mintlify serves itself. */
const served =
  /^(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|skill\.md|mcp|login|logout|feedback|openapi-specs\.download|\.well-known\/.+|_next\/.+|_mintlify\/.+|(?:.+\/)?rss\.xml)$/;

/** `docs/guides/index.mdx` has the address `guides`, and `docs/index.mdx` the empty one. */
export function addressOf(path: string, { root }: Pick<Site, 'root'>): string {
  return plainAddress(root === '' ? path : path.slice(root.length + 1));
}

/** Without the endings that lead to the same page. */
function plainAddress(path: string): string {
  return path
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.(?:mdx?|html)$/i, '')
    .replace(/(?:^|\/)index$/i, '');
}

/** Of two files with one address, `x.mdx` comes before `x.md`, and that one before `x/index.mdx`. */
function rank(path: string): number {
  const isIndex = /(?:^|\/)index\.mdx?$/i.test(path);
  return (isIndex ? 2 : 0) + (path.endsWith('.mdx') ? 0 : 1);
}

function parentsOf(path: string): readonly string[] {
  const segments = posix.dirname(path).split('/');
  const parents = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  return parents.filter((parent) => parent !== '' && parent !== '.');
}

/** One slip is no build. Real docs without a build name no missing page, and real ones with one a third. */
const leastMissing = 10;
const leastPart = 0.1;

/**
 * Whether a build makes pages of the docs, so that a file may have another address than its path says:
 * the navigation names many pages that are no files. Ask about the version before the change, where the
 * answer excuses something, so that no change can bring it about.
 */
export const isBuilt = oncePer(({ tree, site }: LinkTargets): boolean => {
  const names = [...new Set(site.pages.map(({ page }) => page))];
  const missing = names.filter(
    (page) => filesOfPage(page, site).every((file) => !tree.has(file)) && !isApiPage(page, site),
  );
  return missing.length >= leastMissing && missing.length > names.length * leastPart;
});

/** The files that an entry of the navigation can mean. */
export function filesOfPage(page: string, { root }: Pick<Site, 'root'>): readonly string[] {
  const path = posix.join(root, page);
  return [`${path}.mdx`, `${path}.md`];
}

/** Pages that are made from an API description have no file. */
export function isApiPage(page: string, { apiFolders }: Pick<Site, 'apiFolders'>): boolean {
  return apiFolders.some((folder) => folder === '' || page.startsWith(`${folder}/`));
}
