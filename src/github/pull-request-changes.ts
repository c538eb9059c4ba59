import type { ThreadPlace } from './comments.ts';
import type { Comparison, PullHead } from './pull-request-schema.ts';
import { readPullHead as read, readCommitComparison } from './pull-request-schema.ts';
import type { GitHubDeps } from './reading.ts';
import { type Reading, readWith } from './reading.ts';
import { repositoryParameters } from './request.ts';

/** Reads the state of a pull request, of which its last commit matters most. */
export async function readPullHead(
  { repository, number }: ThreadPlace,
  deps: GitHubDeps,
): Promise<Reading<PullHead>> {
  const parameters = { ...repositoryParameters(repository), pull_number: number };
  return await readWith(read, 'GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters, deps);
}

/** Compares two commits of a repository: what `after` has that `before` has not. */
export async function compareCommits(
  repository: string,
  { before, after }: { readonly before: string; readonly after: string },
  deps: GitHubDeps,
): Promise<Reading<Comparison>> {
  const parameters = { ...repositoryParameters(repository), basehead: `${before}...${after}` };
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  return await readWith(readCommitComparison, route, parameters, deps);
}
