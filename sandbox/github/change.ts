import type { ChangedFile, GitHubClient, Pull } from './client.ts';

/** What a pull request changes. */
export interface Change {
  readonly headSha: string;
  readonly commits: number;
  readonly files: readonly ChangedFile[];
  readonly mergeable: boolean;
  /** Once it is merged. */
  readonly mergeSha?: string;
}

/** Compares a pull request's branches as they are now. */
export async function readChange(
  reader: GitHubClient,
  repository: string,
  { head, base }: Pull,
): Promise<Change> {
  const [headSha = head.sha, ours, theirs] = await Promise.all([
    reader.branchHead(repository, head.ref),
    reader.compare(repository, base.ref, head.ref),
    reader.compare(repository, head.ref, base.ref),
  ]);
  const changedThere = new Map(theirs.files.map(({ filename, sha }) => [filename, sha]));
  return {
    headSha,
    commits: ours.total_commits,
    files: ours.files,
    // The same file changed on both sides: git would look at its lines, the sandbox gives up.
    mergeable: ours.files.every(({ filename, sha }) => {
      const there = changedThere.get(filename);
      return there === undefined || there === sha;
    }),
  };
}
