import type { Page } from './docs/page.ts';
import type { Site } from './docs/site.ts';
import type { RuleFinding } from './finding.ts';

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
}

/** Both versions of the docs, and the files that differ. */
export interface Sides {
  readonly files: readonly ChangedFile[];
  readonly before: DocsVersion;
  readonly after: DocsVersion;
}

/** Everything that the rules judge. They ask nobody else, so that they are pure. */
export interface Change extends Sides {
  /** Names of the components that pages used before this change: those evidently work, wherever they are defined. */
  readonly knownComponents: ReadonlySet<string>;
  /** What could not be read. */
  readonly unread: readonly RuleFinding[];
  /** Globs of files that may change besides the docs' own. */
  readonly allowedPaths: readonly string[];
}
