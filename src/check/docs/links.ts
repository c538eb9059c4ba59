import { posix } from 'node:path';
import { decoded } from '../../text/url.ts';
import type { DocsVersion, Tree } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { isInside, isPagePath, kindOf } from './kinds.ts';
import type { Page, Reference } from './page.ts';
import { hasWildcard, isOnOtherHost, maxRedirects, redirectAt } from './redirects.ts';
import { addressOf, belowRoot, type Redirect, type Site } from './site.ts';

/** What decides where the links of a version lead. */
export type LinkTargets = Pick<DocsVersion, 'tree' | 'site'>;

/** Where a reference leads after all redirects. `anchor` is decoded, and has no `#`. */
type LinkEnd =
  | { readonly kind: 'page'; readonly file: string; readonly anchor: string | undefined }
  /** Any other file of the repository. */
  | { readonly kind: 'file'; readonly file: string }
  /** The target is on another host, made from an API description, served by Mintlify, or not written out. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nowhere' };

const unknown = { kind: 'unknown' } as const;
const nowhere = { kind: 'nowhere' } as const;

/** Resolves the references of a version. `nowhere` is certain; a doubtful end is `unknown`, or the likely page. */
export const linksOf = oncePer((version: LinkTargets) => new Links(version));

/**
 * A path is one of these, and named so:
 * - target: as a page or the settings write it.
 * - file: in the repository.
 * - place: below the root of the docs, decoded and without `/` at its beginning. With `..` it leads out of the docs.
 * - address: the place of a page without its extension and without `index`, as `addressOf` makes it.
 */
class Links {
  private readonly tree: Tree;
  private readonly site: Site;
  private readonly paths: KnownPaths;
  private readonly prefixes: Prefixes;
  /** Where places lead, by place: many pages have the same links, and it takes long to try all redirects. */
  private readonly ends = new Map<string, LinkEnd>();

  constructor({ tree, site }: LinkTargets) {
    this.tree = tree;
    this.site = site;
    this.paths = knownPaths({ tree, site });
    this.prefixes = prefixesOf(site, this.paths);
  }

  /** Addresses that several files have, and these files: readers see the first one. */
  get sharedAddresses(): readonly (readonly [address: string, files: readonly string[]])[] {
    return [...this.paths.filesByAddress].filter(([, files]) => files.length > 1);
  }

  /** @param from the file that has the reference */
  resolve(target: string, from: string, kind: Reference['kind'] = 'link'): LinkEnd {
    const trimmed = target.trim();
    switch (kind) {
      case 'import':
        return this.resolveModule(trimmed, from);
      case 'page':
        return this.resolvePage(trimmed);
      case 'description':
        return this.resolveDescription(trimmed, from);
      case 'redirect':
        return hasWildcard(trimmed)
          ? this.resolvePattern(trimmed, from)
          : this.resolveAddress(trimmed, from);
      default:
        return this.resolveAddress(trimmed, from);
    }
  }

  private resolveAddress(target: string, from: string): LinkEnd {
    // The site's own host may serve more than the docs. `{name}`, `<name>` and `$NAME` stand for something else.
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)|\{.*\}|<.*>|\$[\w{]/i.test(target)) {
      return unknown;
    }
    const { path, anchor } = targetParts(target);
    // A relative link in a snippet depends on the page that includes it.
    const isUndecided = !path.startsWith('/') && kindOf(from, this.site) === 'snippet';
    if (path === '') {
      return isUndecided || anchor === undefined ? unknown : { kind: 'page', file: from, anchor };
    }
    const ends = this.placesOf(path, from).map((place) => {
      const end = this.ends.get(place) ?? this.endOf(place, 0);
      this.ends.set(place, end);
      return end;
    });
    const isUnknown = isUndecided || ends.some(({ kind }) => kind === 'unknown');
    return withAnchor(ends.find((end) => 'file' in end) ?? (isUnknown ? unknown : nowhere), anchor);
  }

  /** Says where a redirect with a wildcard leads: at least, something has to lie in the folder before the wildcard. */
  private resolvePattern(target: string, from: string): LinkEnd {
    const [folder = '/'] = /^\/(?:[^/*:]+\/)*/u.exec(decoded(target)) ?? [];
    const isFilled = this.meaningsOf(folder.slice(1)).some(
      (one) => one === '' || this.paths.filledFolders.has(one.slice(0, -1)),
    );
    // Another redirect, for example, may be for everything in the folder.
    const ends = [folder, `${folder}x`].map((one) => this.resolveAddress(one, from));
    return isFilled || ends.some(({ kind }) => kind !== 'nowhere') ? unknown : nowhere;
  }

  /** Says where the description of an API lies. Pages can also name it by the name of its file alone. */
  private resolveDescription(target: string, from: string): LinkEnd {
    const isFile = /\.(?:json|ya?ml)$/i.test(target);
    const isName = isPagePath(from) && this.paths.names.has(posix.basename(target));
    const end = isFile ? this.resolveAddress(target, from) : unknown;
    return end.kind === 'nowhere' && isName ? unknown : end;
  }

  /** Says where an import leads. A target that is no path may be a package. */
  private resolveModule(target: string, from: string): LinkEnd {
    const file = this.resolveImport(target, from);
    const isPath = /^[./]|\.(?:mdx?|jsx?|tsx?)$/u.test(target);
    return file === undefined ? (isPath ? nowhere : unknown) : { kind: 'file', file };
  }

  /** Says where an entry of the navigation leads. Redirects are for links alone. */
  private resolvePage(address: string): LinkEnd {
    const file = ['.mdx', '.md']
      .map((end) => this.repositoryPath(address + end))
      .find((one) => this.tree.has(one));
    if (file === undefined) {
      return this.isOfApi(address) ? unknown : nowhere;
    }
    return { kind: 'page', file, anchor: undefined };
  }

  /** The file that an `import` or a `<Snippet file>` means; `undefined` if the repository does not have it. */
  resolveImport(target: string, from: string): string | undefined {
    const { root } = this.site;
    const folders = target.startsWith('/') ? [root] : [posix.dirname(from), root];
    const path = target.replace(/^\/+/, '');
    // On older sites, pages import `/snippets/x`, and the file lies in `_snippets`.
    const paths = [path, path.replace(/^snippets\//, '_snippets/')];
    return folders
      .flatMap((folder) => paths.map((one) => posix.join(folder, one)))
      .find((file) => this.tree.has(file));
  }

  /** The redirect that certainly takes readers away from a page. */
  redirectOf(file: string): Redirect | undefined {
    return this.lookUpRedirect(addressOf(belowRoot(file, this.site)), true)?.redirect;
  }

  /** Whether the address of a page leads to a page, or somewhere by a redirect. */
  leadsOn(file: string): boolean {
    const address = addressOf(belowRoot(file, this.site));
    // Not every server finds a page whose address differs in case.
    if (this.paths.filesByAddress.has(address)) {
      return true;
    }
    const end = this.followRedirect(address, 0);
    return end !== undefined && end.kind !== 'nowhere';
  }

  /**
   * The places that a link may mean. Mintlify resolves `./x` and `../x` from the file's folder, and checks `x` from
   * the root. Browsers start at the page's address, and the address of an index page is one folder higher.
   */
  private placesOf(path: string, from: string): readonly string[] {
    const place = belowRoot(from, this.site);
    const folders = path.startsWith('/')
      ? ['.']
      : [posix.dirname(place), '.', posix.dirname(addressOf(place))];
    return folders.map((folder) => posix.join(folder, path));
  }

  /** @param redirects how many redirects led to the place */
  private endOf(place: string, redirects: number): LinkEnd {
    const meanings = this.meaningsOf(place);
    for (const one of meanings) {
      const end = this.find(one, redirects);
      // The next search runs only if it is needed, because each redirect on the way would double the time.
      if (end !== undefined) {
        return end;
      }
    }
    return meanings.some((one) => this.isUncertain(one)) ? unknown : nowhere;
  }

  /** The place itself, and the rest of the place if it begins with a prefix such as `docs/` or `fr/`. */
  private meaningsOf(place: string): readonly string[] {
    const inside = posix.join('/', place).slice(1);
    const prefix = this.prefixes.ofLinks.find((one) => inside.startsWith(`${one}/`));
    return prefix === undefined ? [place] : [place, inside.slice(prefix.length + 1)];
  }

  /** The file at a place, or what a redirect leads to; `undefined` if there is neither a file nor a redirect. */
  private find(place: string, redirects: number): LinkEnd | undefined {
    const file =
      this.paths.firstFiles.get(addressOf(place).toLowerCase()) ?? this.repositoryPath(place);
    if (!this.tree.has(file)) {
      return this.followRedirect(place, redirects);
    }
    return kindOf(file, this.site) === 'page'
      ? { kind: 'page', file, anchor: undefined }
      : { kind: 'file', file };
  }

  private followRedirect(place: string, redirects: number): LinkEnd | undefined {
    const target = this.lookUpRedirect(place)?.destination;
    if (target === undefined) {
      return undefined;
    }
    if (redirects >= maxRedirects) {
      return nowhere;
    }
    const { path, anchor } = targetParts(target);
    // A wildcard that is left in the target is not in the source, so nobody knows what it stands for.
    const isUndecided = isOnOtherHost(target) || hasWildcard(path);
    const end = isUndecided ? unknown : this.endOf(posix.join('.', path), redirects + 1);
    return withAnchor(end, anchor);
  }

  /** Tries the place also with the base path, which some sites write in their redirects. */
  private lookUpRedirect(place: string, isCertain = false): ReturnType<typeof redirectAt> {
    const base = isCertain ? this.prefixes.certainBase : this.prefixes.base;
    const found = redirectAt(place, this.site, isCertain);
    return found === undefined && base !== ''
      ? redirectAt(posix.join(base, place), this.site, isCertain)
      : found;
  }

  /** Whether something may be at a place that the tree does not show as a file. */
  private isUncertain(place: string): boolean {
    const address = addressOf(place);
    const file = this.repositoryPath(place);
    return (
      served.test(place) ||
      // If no page has the address of the root, Mintlify serves the first page of the navigation there.
      address === '' ||
      this.paths.folders.has(address) ||
      this.isOfApi(address) ||
      // Behind a symlink or a submodule, the tree shows nothing.
      [file, ...parentsOf(file)].some((at) =>
        ['symlink', 'submodule'].includes(this.tree.get(at)?.kind ?? ''),
      )
    );
  }

  /** Whether a page may be made from an API description, so that it has no file. */
  private isOfApi(address: string): boolean {
    return this.site.apiFolders.some((folder) => isInside(folder, `${address}/`));
  }

  private repositoryPath(place: string): string {
    return posix.join(this.site.root, place);
  }
}

/** The files and folders of the docs, as far as the tree and the settings tell. */
interface KnownPaths {
  /** The files of pages by address. If an address has several files, readers see only the first one. */
  readonly filesByAddress: ReadonlyMap<string, readonly string[]>;
  /** The first file of an address, by address in lower case. */
  readonly firstFiles: ReadonlyMap<string, string>;
  /** Addresses below which pages lie. */
  readonly folders: ReadonlySet<string>;
  /** Places of folders in which something lies: a file, the source of a redirect, or pages of an API. */
  readonly filledFolders: ReadonlySet<string>;
  /** The names of all files, and of the descriptions that the settings name. */
  readonly names: ReadonlySet<string>;
}

function knownPaths({ tree, site }: LinkTargets): KnownPaths {
  const paths = [...tree.keys()];
  // They are sorted, because `x.mdx` wins over `x/index.mdx`.
  const pages = paths.filter((path) => isPagePath(path) && kindOf(path, site) === 'page').sort();
  const files = Map.groupBy(pages, (path) => addressOf(belowRoot(path, site)));
  const first = [...files].map(([address, [file = '']]) => [address.toLowerCase(), file] as const);
  const places = [
    ...paths.map((path) => belowRoot(path, site)),
    ...site.redirects.map(({ source }) => decoded(source).replace(/^\//, '')),
    ...site.apiFolders.map((folder) => `${folder}/x`),
  ];
  const descriptions = site.references.filter(({ kind }) => kind === 'description');
  return {
    filesByAddress: files,
    firstFiles: new Map(first.reverse()),
    folders: new Set([...files.keys()].flatMap(parentsOf)),
    filledFolders: new Set(places.flatMap(parentsOf)),
    names: new Set(
      [...paths, ...descriptions.map(({ target }) => target)].map((one) => posix.basename(one)),
    ),
  };
}

/** What addresses can have in front of a place. */
interface Prefixes {
  /** The path that the site is served at, such as `docs`; empty for the top of its host. */
  readonly base: string;
  /** `base` if all redirects begin with it; otherwise empty, because `/docs/x` may be another page than `x`. */
  readonly certainBase: string;
  /** The base path, `docs` and the languages, as far as no page or folder has that name: addresses may begin so. */
  readonly ofLinks: readonly string[];
}

function prefixesOf(site: Site, { folders, firstFiles }: KnownPaths): Prefixes {
  const isFree = (one: string) =>
    one !== '' && !hasWildcard(one) && !folders.has(one) && !firstFiles.has(one.toLowerCase());
  const targets = site.redirects.flatMap(({ source, destination }) => [source, destination]);
  const segments = new Set(
    targets.filter((one) => one.startsWith('/')).map((one) => decoded(one).split('/')[1] ?? ''),
  );
  const certainBase = [...segments].find((one) => segments.size === 1 && isFree(one)) ?? '';
  const base = certainBase || site.basePath;
  return { base, certainBase, ofLinks: [base, 'docs', ...site.languages].filter(isFree) };
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

/** Adds the anchor of a link. The anchor of a redirect on the way wins, as it does in a browser. */
function withAnchor(end: LinkEnd, anchor: string | undefined): LinkEnd {
  return end.kind === 'page' ? { ...end, anchor: end.anchor ?? anchor } : end;
}

/** The path and the anchor of an address, decoded; the query is left out. */
function targetParts(target: string): {
  readonly path: string;
  readonly anchor: string | undefined;
} {
  const [beforeAnchor = '', ...rest] = target.split('#');
  const [path = ''] = beforeAnchor.split('?');
  const anchor = rest.join('#');
  return { path: decoded(path), anchor: anchor === '' ? undefined : decoded(anchor) };
}

/** Addresses that Mintlify serves without a file, and those that another server may serve. */
const served =
  /^(?:llms(?:-full)?\.txt|robots\.txt|sitemap\.xml|skill\.md|mcp|login|logout|feedback|openapi-specs\.download|(?:\.well-known|_next|_mintlify)\/.+|favicon\.\w+|(?:.+\/)?rss\.xml|.+\.html)$/;

/** The folders around a path, twenty at most: those of a path with a million segments would fill the memory. */
function parentsOf(path: string): readonly string[] {
  const segments = posix.dirname(path).split('/', 20);
  const parents = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  return parents.filter((parent) => parent !== '' && parent !== '.');
}
