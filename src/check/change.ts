import type { ApiReading } from './docs/api.ts';
import type { Page } from './docs/page.ts';
import type { Site } from './docs/site.ts';
import type { RuleFinding } from './finding.ts';

/** An entry of a commit's tree. */
export interface TreeEntry {
  /** In the repository. */
  readonly path: string;
  /** The SHA of the blob: equal contents have equal SHAs. */
  readonly sha: string;
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule';
  readonly bytes: number;
}

/** All files of a commit, by path in the repository. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/** A file that differs between the merge base and the head. */
export interface ChangedFile {
  /** The path after the change. For a deleted file: the path before the change. */
  readonly path: string;
  /** The path before the change; only a renamed file has it. */
  readonly previousPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Lines of text added and deleted, as GitHub counts them. */
  readonly additions: number;
  readonly deletions: number;
}

/** One version of the docs: the merge base, or the head. */
export interface DocsVersion {
  readonly tree: Tree;
  readonly site: Site;
  /**
   * The parsed pages and snippets: the changed ones, and those unchanged ones whose text mentions
   * something that this change took away. By path in the repository.
   */
  readonly pages: ReadonlyMap<string, Page>;
  /** What the changed JSON and YAML files of the docs say of APIs, by path in the repository. */
  readonly apis: ReadonlyMap<string, ApiReading>;
}

/** Both versions of the docs, and the files that differ. */
export interface Sides {
  readonly files: readonly ChangedFile[];
  readonly before: DocsVersion;
  readonly after: DocsVersion;
}

/** Everything that the rules judge. They read nothing else, so that they are pure. */
export interface Change extends Sides {
  /** Names of the components that pages used before this change and none defined: the platform evidently has them. */
  readonly knownComponents: ReadonlySet<string>;
  /** For each new page that is a copy of another page: the path of that page before this change. */
  readonly copies: ReadonlyMap<string, string>;
  /** Findings about what could not be read. */
  readonly unread: readonly RuleFinding[];
  /** Globs of input `allowed-paths`: files that are not usual docs, and may change all the same. */
  readonly allowedPaths: readonly string[];
}
