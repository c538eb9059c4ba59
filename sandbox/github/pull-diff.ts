import type { ChangedFile, GitHubClient, Pull } from './client.ts';

/** The changes of a pull request. */
export interface PullDiff {
  readonly headSha: string;
  readonly commits: number;
  readonly files: readonly ChangedFile[];
  readonly mergeable: boolean;
  /** The merge commit, once the pull request is merged. */
  readonly mergeSha?: string;
}

/** Compares a pull request's branches in their current state. */
export async function readDiff(
  reader: GitHubClient,
  repository: string,
  { head, base }: Pull,
): Promise<PullDiff> {
  const branchHead = await reader.branchHead(repository, head.ref);
  const headSha = branchHead ?? head.sha;
  // The branch of a closed pull request may be deleted.
  const tip = branchHead === undefined ? head.sha : head.ref;
  const [ours, theirs] = await Promise.all([
    reader.compare(repository, base.ref, tip),
    reader.compare(repository, tip, base.ref),
  ]);
  const changedInBase = new Map(theirs.files.map(({ filename, sha }) => [filename, sha]));
  return {
    headSha,
    commits: ours.total_commits,
    files: ours.files,
    // Unlike git, this takes any two changes of the same file as a conflict.
    mergeable: ours.files.every(({ filename, sha }) => {
      const baseSha = changedInBase.get(filename);
      return baseSha === undefined || baseSha === sha;
    }),
  };
}
