import { type Reading, type RepositoryDeps, readFrom } from '../../github/reading.ts';

/** An entry of a commit's tree. */
export interface ListedEntry {
  /** Of the blob; of a submodule, the commit. */
  readonly sha: string;
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule';
  readonly bytes: number;
}

/** The files of a commit. */
export interface ListedTree {
  /** By path in the repository. */
  readonly entries: ReadonlyMap<string, ListedEntry>;
  /** Whether GitHub left out files: it lists at most 100,000 or 7 MB. */
  readonly isTruncated: boolean;
}

/**
 * Lists all files of a commit.
 * @throws the signal's reason if the run is cancelled
 */
export async function readTree(commit: string, deps: RepositoryDeps): Promise<Reading<ListedTree>> {
  const { readListedTree } = await import('./review-schema.ts');
  return readFrom(deps, 'git/trees/{tree_sha}', { tree_sha: commit, recursive: 1 }, readListedTree);
}

/**
 * The newest commit that two commits have in common. Asks for the second page of the comparison, because
 * only the first one lists files.
 * @throws the signal's reason if the run is cancelled
 */
export async function readMergeBase(
  base: string,
  head: string,
  deps: RepositoryDeps,
): Promise<Reading<string>> {
  const { readMergeBaseSha } = await import('./review-schema.ts');
  const parameters = { basehead: `${base}...${head}`, per_page: 1, page: 2 };
  return readFrom(deps, 'compare/{basehead}', parameters, readMergeBaseSha);
}
