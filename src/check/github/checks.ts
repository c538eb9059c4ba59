import { type Reading, type RepositoryDeps, readFrom } from '../../github/reading.ts';

/** A check run or a commit status. */
export interface CommitCheck {
  readonly name: string;
  /** Of the app behind a check run, such as `github-actions`; empty for a status. */
  readonly app: string;
  readonly state: 'passed' | 'failed' | 'pending';
  /** As GitHub has it; empty for none. */
  readonly link: string;
}

/** A deployment of a commit. */
export interface Deployment {
  readonly id: number;
  /** Login of its creator. */
  readonly creator: string;
}

/** The most that GitHub returns at once. Commits with more checks are rare. */
const pageSize = 100;

/**
 * Reads the latest check runs of a commit. Needs `checks: read`.
 * @throws the signal's reason if the run is cancelled
 */
export async function readCheckRuns(
  commit: string,
  deps: RepositoryDeps,
): Promise<Reading<readonly CommitCheck[]>> {
  const { readRuns } = await import('./check-schema.ts');
  const parameters = { ref: commit, filter: 'latest', per_page: pageSize };
  return readFrom(deps, 'commits/{ref}/check-runs', parameters, readRuns);
}

/**
 * Reads the latest status of each context of a commit. Needs `statuses: read`.
 * @throws the signal's reason if the run is cancelled
 */
export async function readStatuses(
  commit: string,
  deps: RepositoryDeps,
): Promise<Reading<readonly CommitCheck[]>> {
  const { readCombinedStatus } = await import('./check-schema.ts');
  const parameters = { ref: commit, per_page: pageSize };
  return readFrom(deps, 'commits/{ref}/status', parameters, readCombinedStatus);
}

/**
 * Lists the deployments of a commit, newest first. Needs `deployments: read`.
 * @throws the signal's reason if the run is cancelled
 */
export async function readDeployments(
  commit: string,
  deps: RepositoryDeps,
): Promise<Reading<readonly Deployment[]>> {
  const { readDeploymentList } = await import('./check-schema.ts');
  return readFrom(deps, 'deployments', { sha: commit, per_page: 10 }, readDeploymentList);
}

/**
 * Reads the address that the newest status of a deployment names; empty for none.
 * @throws the signal's reason if the run is cancelled
 */
export async function readEnvironmentUrl(
  { id }: Deployment,
  deps: RepositoryDeps,
): Promise<Reading<string>> {
  const { readNewestUrl } = await import('./check-schema.ts');
  const parameters = { deployment_id: id, per_page: 1 };
  return readFrom(deps, 'deployments/{deployment_id}/statuses', parameters, readNewestUrl);
}
