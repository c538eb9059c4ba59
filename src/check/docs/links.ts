import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { type Addresses, addressOf, createAddresses, isVague, plainAddress } from './addresses.ts';
import { importFile } from './import-file.ts';
import { kindOf } from './kinds.ts';
import { finalEnd, type LinkEnd, nowhere, partsOf, unknown, withAnchor } from './link-end.ts';
import { createRedirects, type Redirects } from './redirects.ts';
import type { Site } from './site.ts';

/** One version of the docs. */
export interface LinkTargets {
  readonly tree: Tree;
  readonly site: Site;
}

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

class Resolver implements Links {
  readonly tree: Tree;
  readonly site: Site;
  private readonly addresses: Addresses;
  private readonly redirects: Redirects;
  private readonly own: URL | undefined;
  /** Such as `/docs`, where the settings tell; otherwise empty. */
  private readonly base: string;
  private readonly ends = new Map<string, LinkEnd>();

  constructor({ tree, site }: LinkTargets) {
    this.tree = tree;
    this.site = site;
    this.addresses = createAddresses(tree, site);
    this.redirects = createRedirects(site);
    this.own = site.address === undefined ? undefined : new URL(site.address);
    this.base = this.own?.pathname.replace(/\/+$/, '') ?? '';
  }

  resolve(target: string, from: string): LinkEnd {
    const written = target.trim();
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(written)) return this.resolveUrl(written);
    if (written === '' || isVague(written)) return unknown;
    const { path, anchor } = partsOf(written);
    if (path === '') return anchor === undefined ? unknown : { kind: 'anchor', anchor };
    return withAnchor(this.resolvePath(path, from, 0), anchor);
  }

  resolveImport(source: string, from: string): string | undefined {
    return importFile(source, from, this);
  }

  isRedirected(path: string): boolean {
    const address = addressOf(path, this.site);
    if (this.addresses.page(address) !== undefined) return true;
    const below = posix.relative(`/${this.site.root}`, `/${path}`);
    const end = this.followRedirect(address, 0) ?? this.followRedirect(below, 0);
    return end !== undefined && finalEnd(end).kind !== 'nowhere';
  }

  private resolveUrl(target: string): LinkEnd {
    const address = target.startsWith('//') ? `https:${target}` : target;
    if (!/^https?:/i.test(address) || !URL.canParse(address)) return unknown;
    const url = new URL(address);
    const elsewhere = { kind: 'other-host', host: url.host } as const;
    if (url.host !== this.own?.host || !`${url.pathname}/`.startsWith(`${this.base}/`)) {
      return elsewhere;
    }
    // A host may serve more than the docs, so that nothing there is certainly nowhere.
    const { path, anchor } = partsOf(url.pathname + url.hash);
    const end = this.lookUp(path, 0) ?? elsewhere;
    return finalEnd(end).kind === 'nowhere' ? elsewhere : withAnchor(end, anchor);
  }

  private resolvePath(path: string, from: string, redirects: number): LinkEnd {
    const isAbsolute = path.startsWith('/');
    const key = `${redirects}${isAbsolute ? path : `${from}\n${path}`}`;
    const cached = this.ends.get(key);
    if (cached !== undefined) return cached;
    const paths = isAbsolute ? [path.slice(1)] : this.relativePaths(path, from);
    const found = this.lookUpFirst(paths, redirects);
    // A relative link in a snippet depends on the page that includes it.
    const isOpen = !isAbsolute && kindOf(from, this.site) === 'snippet';
    const isUncertain = isOpen || paths.some((below) => this.isUncertain(below));
    const end = found ?? (isUncertain ? unknown : nowhere);
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

  private lookUpFirst(paths: readonly string[], redirects: number): LinkEnd | undefined {
    for (const path of paths) {
      const end = this.lookUp(path, redirects);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  /** @param path below the root; it may lead out of it by `..` */
  private lookUp(path: string, redirects: number): LinkEnd | undefined {
    const address = plainAddress(posix.normalize(`/${path}`));
    return (
      this.pageEnd(this.addresses.page(address)) ??
      this.fileEnd(path) ??
      this.followRedirect(path, redirects) ??
      (path === address ? undefined : this.followRedirect(address, redirects)) ??
      this.pageEnd(this.addresses.similarPage(address)) ??
      this.withoutBase(address, redirects)
    );
  }

  private pageEnd(file: string | undefined): LinkEnd | undefined {
    return file === undefined ? undefined : { kind: 'page', file, anchor: undefined };
  }

  private fileEnd(path: string): LinkEnd | undefined {
    const file = posix.join(this.site.root, path);
    const entry = this.tree.get(file);
    if (entry === undefined) return undefined;
    return kindOf(file, this.site) === 'page' ? this.pageEnd(file) : { kind: 'file', file };
  }

  private followRedirect(address: string, redirects: number): LinkEnd | undefined {
    const match = this.matchRedirect(address);
    if (match === undefined) return undefined;
    const { destination, redirect } = match;
    if (redirects >= maxRedirects) return { kind: 'redirect', redirect, end: nowhere };
    if (URL.canParse(destination)) {
      return { kind: 'redirect', redirect, end: this.resolveUrl(destination) };
    }
    const { path, anchor } = partsOf(destination);
    // A wildcard that nothing fills, though the source has some: their names may mean the same.
    const isOpen = wildcard.test(path) && wildcard.test(redirect.source);
    const below = path.replace(/^\/+/, '');
    const end = isOpen ? unknown : this.resolvePath(`/${below}`, '', redirects + 1);
    return { kind: 'redirect', redirect, end: withAnchor(end, anchor) };
  }

  /** Some sites write their base path in redirects, and some do not. */
  private matchRedirect(address: string): ReturnType<Redirects['match']> {
    const found = this.redirects.match(address);
    if (found !== undefined || this.base === '') return found;
    return this.redirects.match(`${this.base}/${address}`);
  }

  private isUncertain(path: string): boolean {
    const paths = [path, this.belowBase(path) ?? path];
    return paths.some((below) => this.addresses.isUncertain(below));
  }

  /** Links of a site that is served under `/docs` may begin with that. */
  private withoutBase(address: string, redirects: number): LinkEnd | undefined {
    const below = this.belowBase(address);
    if (below === undefined) return undefined;
    const page = this.pageEnd(this.addresses.page(below));
    return page ?? this.fileEnd(below) ?? this.followRedirect(below, redirects);
  }

  /** Where the settings do not tell the base path, any first segment may be it that is nothing else. */
  private belowBase(address: string): string | undefined {
    const base = this.base.slice(1);
    if (base !== '' && `${address}/`.startsWith(`${base}/`)) return address.slice(base.length + 1);
    const [first = '', ...rest] = address.split('/');
    const isOwn = this.addresses.isFolder(first) || this.addresses.page(first) !== undefined;
    return isOwn || rest.length === 0 ? undefined : rest.join('/');
  }
}
