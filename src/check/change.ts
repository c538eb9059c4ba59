import type { Page } from './docs/page.ts';
import type { Site } from './docs/site.ts';

/** An entry of a commit's tree. */
export interface TreeEntry {
  /** Of the blob; equal contents have equal SHAs. */
  readonly sha: string;
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule';
  readonly bytes: number;
}

/** All files of a commit, by path in the repository. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/** A file that differs between the merge base and the head. */
export interface ChangedFile {
  /** As it is after the change; of a deleted file, as it was. */
  readonly path: string;
  /** Only of a renamed file. */
  readonly previousPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Text of each version; `undefined` where there is none, or where it is not text or was not read. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Lines of text added and deleted. */
  readonly additions: number;
  readonly deletions: number;
  /**
   * Whether one of the texts could not be read, so that it has none here and nothing of it is judged. A
   * gap says why.
   */
  readonly isUnread?: true;
}

/** One version of the docs: the merge base, or the head. */
export interface DocsVersion {
  readonly tree: Tree;
  readonly site: Site;
  /**
   * The parsed pages and snippets: the changed ones, and those unchanged ones whose text mentions
   * something that this change took away or that may be new. By path in the repository.
   */
  readonly pages: ReadonlyMap<string, Page>;
}

/** An earlier change of a page's lines, as the history of the base branch has it. */
export interface EarlierChange {
  /** Path in the repository, before this pull request. */
  readonly path: string;
  readonly commit: string;
  /** Text before and after that commit. */
  readonly before: string;
  readonly after: string;
}

/** A check or commit status that the docs' vendor reports. */
export interface VendorCheck {
  readonly name: string;
  readonly isFailure: boolean;
  /** https; empty for none. */
  readonly link: string;
}

/** Everything that the rules judge. They ask nobody else, so that they are pure. */
export interface Change {
  readonly files: readonly ChangedFile[];
  readonly before: DocsVersion;
  readonly after: DocsVersion;
  readonly earlier: readonly EarlierChange[];
  /** The vendor's checks on the merge base and on the head. */
  readonly checks: {
    readonly before: readonly VendorCheck[];
    readonly after: readonly VendorCheck[];
  };
  /** Hosts that unchanged files of the repository name already, lower case; see `domainsInQuestion`. */
  readonly knownDomains: ReadonlySet<string>;
  /** New texts in overviews for agents that unchanged pages show; see `textsInQuestion`. */
  readonly knownTexts: ReadonlySet<string>;
  /** The branch that would get the change, and the repository's own choice, where GitHub tells. */
  readonly base: { readonly branch: string; readonly defaultBranch: string | undefined };
  /** Globs of files that may change besides the docs' own; from input `allowed-paths`. */
  readonly allowedPaths: readonly string[];
}
