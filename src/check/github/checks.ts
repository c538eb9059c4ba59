import { array, fallback, nullish, number, object, optional, string } from 'valibot';
import { type RepositoryDeps, readFrom } from '../../github/request.ts';
import { parse } from '../../text/parse.ts';

/** The most that GitHub returns at once. Commits with more checks are rare. */
const pageSize = 100;

const address = fallback(nullish(string(), ''), '');

const runsSchema = object({
  check_runs: array(
    object({
      name: string(),
      conclusion: fallback(nullish(string(), ''), ''),
      details_url: address,
      app: fallback(nullish(object({ slug: fallback(string(), '') })), undefined),
    }),
  ),
});

/**
 * The links of an app's check runs on a commit that passed; none where they cannot be read, which takes
 * `checks: read`.
 * @param name of the app, or what the names of its checks begin with
 */
export async function readCheckLinks(
  commit: string,
  name: string,
  deps: RepositoryDeps,
): Promise<readonly string[]> {
  const parameters = { ref: commit, filter: 'latest', per_page: pageSize };
  const reading = await readFrom(deps, 'commits/{ref}/check-runs', parameters, (body) =>
    parse(runsSchema, body),
  );
  const runs = reading.kind === 'read' ? reading.value.check_runs : [];
  return runs
    .filter((run) => run.app?.slug === name || run.name.toLowerCase().startsWith(name))
    .filter(({ conclusion }) => conclusion === 'success')
    .map(({ details_url: link }) => link ?? '');
}

const statusSchema = object({
  statuses: array(object({ context: string(), state: string(), target_url: address })),
});

/** The same of commit statuses, which takes `statuses: read`. */
export async function readStatusLinks(
  commit: string,
  name: string,
  deps: RepositoryDeps,
): Promise<readonly string[]> {
  const parameters = { ref: commit, per_page: pageSize };
  const reading = await readFrom(deps, 'commits/{ref}/status', parameters, (body) =>
    parse(statusSchema, body),
  );
  const statuses = reading.kind === 'read' ? reading.value.statuses : [];
  return statuses
    .filter(({ context, state }) => context.toLowerCase().startsWith(name) && state === 'success')
    .map(({ target_url: link }) => link ?? '');
}

/** A deployment of a commit. */
export interface Deployment {
  readonly id: number;
  /** Login of its creator; empty where GitHub names none. */
  readonly creator: string;
}

const deploymentsSchema = array(
  object({ id: number(), creator: fallback(nullish(object({ login: string() })), undefined) }),
);

/** The deployments of a commit, newest first; none where they cannot be read, which takes `deployments: read`. */
export async function readDeployments(
  commit: string,
  deps: RepositoryDeps,
): Promise<readonly Deployment[]> {
  const parameters = { sha: commit, per_page: 10 };
  const reading = await readFrom(deps, 'deployments', parameters, (body) =>
    parse(deploymentsSchema, body),
  );
  const deployments = reading.kind === 'read' ? reading.value : [];
  return deployments.map(({ id, creator }) => ({ id, creator: creator?.login ?? '' }));
}

const deploymentStatusesSchema = array(
  object({ state: string(), environment_url: fallback(optional(string(), ''), '') }),
);

/** The address that the newest status of a deployment names, if it succeeded; empty for none. */
export async function readEnvironmentUrl(id: number, deps: RepositoryDeps): Promise<string> {
  const parameters = { deployment_id: id, per_page: 1 };
  const reading = await readFrom(deps, 'deployments/{deployment_id}/statuses', parameters, (body) =>
    parse(deploymentStatusesSchema, body),
  );
  const [newest] = reading.kind === 'read' ? reading.value : [];
  return newest?.state === 'success' ? newest.environment_url : '';
}
