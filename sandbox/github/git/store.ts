/** A commit, as GitHub's API shows it. */
export interface GitCommit {
  readonly sha: string;
  readonly treeSha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** ISO 8601 */
  readonly authoredAt: string;
  readonly committedAt: string;
}

export type GitMode = '100644' | '100755' | '120000' | '160000' | '040000';

/** An entry of a tree and of the trees below it. */
export interface GitEntry {
  readonly path: string;
  readonly mode: GitMode;
  readonly sha: string;
  /** Only of a blob. A blob that is not stored has a size all the same. */
  readonly bytes?: number;
}

export interface GitObjectName {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly sha: string;
}

/** What `git diff --shortstat` counts; an exact rename is one file. */
export interface DiffStat {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** Commits, trees and blobs of a repository, wherever they are. Unknown objects are `undefined`. */
export interface GitStore {
  /** @param revision a full SHA, a branch, or either with `:` and a path */
  resolve(revision: string): Promise<GitObjectName | undefined>;
  commit(sha: string): Promise<GitCommit | undefined>;
  /**
   * All entries below a commit or a tree, each folder before what it holds, in the order of git.
   * @param sha of a commit or a tree
   */
  tree(sha: string): Promise<readonly GitEntry[] | undefined>;
  blob(sha: string): Promise<Buffer | undefined>;
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /** The commits of `head` that `base` lacks, oldest first. */
  commitsBetween(base: string, head: string): Promise<readonly string[]>;
  diffStat(base: string, head: string): Promise<DiffStat>;
  close(): Promise<void>;
}

export function typeOfMode(mode: GitMode): 'blob' | 'tree' | 'commit' {
  switch (mode) {
    case '040000':
      return 'tree';
    case '160000':
      return 'commit';
    case '100644':
    case '100755':
    case '120000':
      return 'blob';
  }
}
