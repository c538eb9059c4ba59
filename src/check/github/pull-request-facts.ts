import { type Reading, type RepositoryDeps, readFrom } from '../../github/reading.ts';

/** The fields of a pull request that a judgement of it needs. */
export interface PullRequestFacts {
  readonly number: number;
  readonly title: string;
  /** Of its page; empty if GitHub names none. */
  readonly link: string;
  readonly headSha: string;
  /** The base branch, and its commit when GitHub last compared. */
  readonly baseBranch: string;
  readonly baseSha: string;
  /** How many files it changes; `undefined` if GitHub does not say. */
  readonly changedFiles: number | undefined;
  /** Of the repository that the base branch is in; `undefined` if GitHub does not say. */
  readonly defaultBranch: string | undefined;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly labels: readonly string[];
}

/**
 * Reads "Get a pull request".
 * @throws the signal's reason if the run is cancelled
 */
export async function readPullRequestFacts(
  number: number,
  deps: RepositoryDeps,
): Promise<Reading<PullRequestFacts>> {
  return await readFrom(deps, 'pulls/{pull_number}', { pull_number: number }, async (body) => {
    const { readFacts } = await import('./review-schema.ts');
    return readFacts(body);
  });
}
