import type { ForcePush } from './pull-request-schema.ts';
import { readForcePushes } from './pull-request-schema.ts';
import type { GitHubDeps } from './reading.ts';
import { type Reading, readWith } from './reading.ts';
import { repositoryParameters } from './request.ts';

/** The most that GitHub returns at once. */
const mostListed = 100;

/**
 * Lists the force-pushes of a branch, newest first, by one request; at most `mostListed`. Each names
 * the commit that was the last one of the branch before it.
 */
export async function listForcePushes(
  repository: string,
  branch: string,
  deps: GitHubDeps,
): Promise<Reading<readonly ForcePush[]>> {
  return await readWith(
    readForcePushes,
    'GET /repos/{owner}/{repo}/activity',
    {
      ...repositoryParameters(repository),
      ref: `refs/heads/${branch}`,
      activity_type: 'force_push',
      direction: 'desc',
      per_page: mostListed,
    },
    deps,
  );
}
