import { posix } from 'node:path';
import { decoded } from '../../text/url.ts';
import type { DocsVersion, Tree } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { isInside, isPagePath, kindOf } from './kinds.ts';
import type { Page } from './page.ts';
import {
  destinationOf,
  hasWildcard,
  isOnOtherHost,
  maxRedirects,
  redirectAt,
} from './redirects.ts';
import type { Reference } from './references.ts';
import { addressOf, belowRoot, type Redirect, type Site } from './site.ts';

/** What one version of the docs links to. */
export type LinkTargets = Pick<DocsVersion, 'tree' | 'site'>;

/** Where a reference leads after all redirects. `anchor` is decoded, and has no `#`. */
type LinkEnd =
  | { readonly kind: 'page'; readonly file: string; readonly anchor: string | undefined }
  /** Any other file of the repository. */
  | { readonly kind: 'file'; readonly file: string }
  /** Nobody can tell: the target is on another host, made from an API description, served by Mintlify, or not written out. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nowhere' };

const unknown = { kind: 'unknown' } as const;
const nowhere = { kind: 'nowhere' } as const;

/** Resolves the references of a version. Where sites differ, the answer is the generous one: `nowhere` is certain. */
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
  /** The files of pages by address. If an address has several files, readers see only the first one. */
  private readonly files: ReadonlyMap<string, readonly string[]>;
  /** The first file of an address, by address in lower case. */
  private readonly fileOf: ReadonlyMap<string, string>;
  /** Addresses below which pages lie. */
  private readonly folders: ReadonlySet<string>;
  /** Places of folders in which something lies: a file, the source of a redirect, or pages of an API. */
  private readonly filled: ReadonlySet<string>;
  /** The names of all files, and of the descriptions that the settings name. */
  private readonly names: ReadonlySet<string>;
  /** The first segment of all redirects, which is then the path that the site is served at; empty if they differ. */
  private readonly shared: string;
  /** The path that the site is served at, such as `docs`; empty for the top of its host. */
  private readonly base: string;
  /** What links can have in front of a place: the base path, `docs` or a language. */
  private readonly prefixes: readonly string[];
  /** Where places lead: many pages have the same links, and it takes long to try all redirects. */
  private readonly ends = new Map<string, LinkEnd>();

  constructor({ tree, site }: LinkTargets) {
    this.tree = tree;
    this.site = site;
    const pages = [...tree.keys()]
      .filter((file) => isPagePath(file) && kindOf(file, site) === 'page')
      .toSorted();
    const addressOfFile = (file: string) => addressOf(belowRoot(file, site));
    this.files = Map.groupBy(pages, addressOfFile);
    // Of two files with one address, the first one counts, so it is set last: `x.mdx` before `x/index.mdx`.
    this.fileOf = new Map(
      pages.toReversed().map((file) => [addressOfFile(file).toLowerCase(), file]),
    );
    this.folders = new Set([...this.files.keys()].flatMap(parentsOf));
    const places = [
      ...[...tree.keys()].map((file) => belowRoot(file, site)),
      ...site.redirects.map(({ source }) => startOf(decoded(source).replace(/^\//, ''))),
      ...site.apiFolders.map((folder) => startOf(`${folder}/x`)),
    ];
    this.filled = new Set(places.flatMap(parentsOf));
    const descriptions = site.references.filter(({ kind }) => kind === 'description');
    this.names = new Set(
      [...tree.keys(), ...descriptions.map(({ target }) => target)].map((one) =>
        posix.basename(one),
      ),
    );
    this.shared = this.sharedSegment();
    this.base = this.shared || pathOf(site.address);
    this.prefixes = [this.base, 'docs', ...site.languages].filter(
      (one) => one !== '' && !this.isOwn(one),
    );
  }

  /** Addresses that several files have, and these files, in the order in which Mintlify takes them. */
  get sharedAddresses(): readonly (readonly [address: string, files: readonly string[]])[] {
    return [...this.files].filter(([, files]) => files.length > 1);
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
    // A host may serve more than the docs. Mintlify or the reader puts something into `{name}`, `<name>` and `$NAME`.
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)|\{.*\}|<.*>|\$[\w{]/i.test(target)) {
      return unknown;
    }
    const { path, anchor } = targetParts(target);
    // A relative link in a snippet depends on the page that includes it.
    const isOpen = !path.startsWith('/') && kindOf(from, this.site) === 'snippet';
    if (path === '') {
      return isOpen || anchor === undefined ? unknown : { kind: 'page', file: from, anchor };
    }
    const ends = this.placesOf(path, from).map((place) => {
      const end = this.ends.get(place) ?? this.endOf(place, 0);
      this.ends.set(place, end);
      return end;
    });
    const isUnknown = isOpen || ends.some(({ kind }) => kind === 'unknown');
    return withAnchor(ends.find((end) => 'file' in end) ?? (isUnknown ? unknown : nowhere), anchor);
  }

  /** Says where a redirect leads. What fills its wildcard is not known, but the folder before that has to have something. */
  private resolvePattern(target: string, from: string): LinkEnd {
    const [folder = '/'] = /^\/(?:[^/*:]+\/)*/u.exec(decoded(target)) ?? [];
    const places = [folder.slice(1), this.withoutPrefix(folder.slice(1))];
    const isKnown = places.some((one) => one === '' || this.filled.has(one.slice(0, -1)));
    // Something else may be for all that is in the folder, such as another redirect.
    const ends = [folder, `${folder}x`].map((one) => this.resolveAddress(one, from));
    return isKnown || ends.some(({ kind }) => kind !== 'nowhere') ? unknown : nowhere;
  }

  /** A page names a description as the settings do, or by the name of its file. Anything else is no file. */
  private resolveDescription(target: string, from: string): LinkEnd {
    const isFile = /\.(?:json|ya?ml)$/i.test(target);
    const isName = isPagePath(from) && this.names.has(posix.basename(target));
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
      .map((end) => this.fileAt(address + end))
      .find((one) => this.tree.has(one));
    if (file === undefined) {
      return this.isOfApi(address) ? unknown : nowhere;
    }
    return { kind: 'page', file, anchor: undefined };
  }

  /** The file that an `import` or a `<Snippet file>` means; `undefined` where it is not in the repository. */
  resolveImport(target: string, from: string): string | undefined {
    const { root } = this.site;
    const folders = target.startsWith('/') ? [root] : [posix.dirname(from), root];
    const path = target.replace(/^\/+/, '');
    // An older name of the folder: what lies in `_snippets` is imported from `/snippets`.
    const paths = [path, path.replace(/^snippets\//, '_snippets/')];
    return folders
      .flatMap((folder) => paths.map((one) => posix.join(folder, one)))
      .find((file) => this.tree.has(file));
  }

  /** The redirect that certainly takes readers away from a page. */
  redirectOf(file: string): Redirect | undefined {
    const place = belowRoot(file, this.site);
    const found = [place, posix.join(this.shared, place)].map((one) =>
      redirectAt(one, this.site, true),
    );
    return found.find((one) => one !== undefined)?.redirect;
  }

  /** Whether the address of a page that is gone still leads somewhere: by a redirect, or to another page. */
  isRedirected(file: string): boolean {
    const address = addressOf(belowRoot(file, this.site));
    const end = this.followRedirect(address, 0);
    // Not every server finds a page whose address differs in case.
    return this.files.has(address) || (end !== undefined && end.kind !== 'nowhere');
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

  /** @param redirects how many were followed to the place */
  private endOf(place: string, redirects: number): LinkEnd {
    const inside = this.withoutPrefix(place);
    // The second search runs only if it is needed, because each redirect on the way would double the time.
    const end = this.find(place, redirects) ?? this.find(inside, redirects);
    return end ?? ([place, inside].some((one) => this.isUncertain(one)) ? unknown : nowhere);
  }

  /** The file at a place, or what a redirect leads to; `undefined` if there is neither a file nor a redirect. */
  private find(place: string, redirects: number): LinkEnd | undefined {
    const file = this.fileOf.get(addressOf(place).toLowerCase()) ?? this.fileAt(place);
    if (!this.tree.has(file)) {
      return this.followRedirect(place, redirects);
    }
    return kindOf(file, this.site) === 'page'
      ? { kind: 'page', file, anchor: undefined }
      : { kind: 'file', file };
  }

  private followRedirect(place: string, redirects: number): LinkEnd | undefined {
    // Some sites write their base path in redirects, and some do not.
    const target =
      destinationOf(place, this.site) ?? destinationOf(posix.join(this.base, place), this.site);
    if (target === undefined) {
      return undefined;
    }
    if (redirects >= maxRedirects) {
      return nowhere;
    }
    const { path, anchor } = targetParts(target);
    // What fills a wildcard of another name is not known.
    const isOpen = isOnOtherHost(target) || hasWildcard(path);
    const end = isOpen ? unknown : this.endOf(posix.join('.', path), redirects + 1);
    return withAnchor(end, anchor);
  }

  /** Whether something may be at a place that the tree does not show as a file. */
  private isUncertain(place: string): boolean {
    const address = addressOf(place);
    const file = this.fileAt(place);
    return (
      served.test(place) ||
      // Where no page has the address of the root, Mintlify serves the first one of the navigation there.
      address === '' ||
      this.folders.has(address) ||
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

  private fileAt(place: string): string {
    return posix.join(this.site.root, place);
  }

  private withoutPrefix(place: string): string {
    const inside = posix.join('/', place).slice(1);
    const prefix = this.prefixes.find((one) => inside.startsWith(`${one}/`));
    return prefix === undefined ? place : inside.slice(prefix.length + 1);
  }

  /** The first segment that all redirects share; empty if they differ, or if a folder or a page has that name. */
  private sharedSegment(): string {
    const targets = this.site.redirects.flatMap(({ source, destination }) => [source, destination]);
    const segments = new Set(
      targets.filter((one) => one.startsWith('/')).map((one) => decoded(one).split('/')[1] ?? ''),
    );
    const [first = '', ...others] = segments;
    return others.length > 0 || this.isOwn(first) ? '' : first;
  }

  private isOwn(segment: string): boolean {
    return this.folders.has(segment) || this.fileOf.has(segment.toLowerCase());
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

/** The path of an address, without slashes at its ends. */
function pathOf(address = ''): string {
  return URL.parse(address)?.pathname.replace(/^\/|\/$/g, '') ?? '';
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

/** The first segments of what the settings name. The folders of a path with a million segments would fill the memory. */
function startOf(path: string): string {
  return path.split('/', 20).join('/');
}

function parentsOf(path: string): readonly string[] {
  const segments = posix.dirname(path).split('/');
  const parents = segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
  return parents.filter((parent) => parent !== '' && parent !== '.');
}
