import {
  array,
  fallback,
  integer,
  minValue,
  nullable,
  nullish,
  number,
  object,
  optional,
  pipe,
  string,
} from 'valibot';
import { parse } from '../../text/parse.ts';
import type { CommitCheck, Deployment } from './checks.ts';

const address = fallback(nullish(string(), ''), '');

const runsSchema = object({
  check_runs: array(
    object({
      name: string(),
      status: string(),
      conclusion: fallback(nullable(string()), null),
      details_url: address,
      app: fallback(nullish(object({ slug: fallback(string(), '') })), undefined),
    }),
  ),
});

/** `cancelled`, `skipped`, `neutral` and `stale` say nothing about the docs. */
const failures: readonly string[] = ['failure', 'timed_out', 'startup_failure', 'action_required'];

/** Reads "List check runs for a Git reference". */
export function readRuns(body: unknown): readonly CommitCheck[] | undefined {
  return parse(runsSchema, body)?.check_runs.map((run) => ({
    name: run.name,
    app: run.app?.slug ?? '',
    state: stateOf(run),
    link: run.details_url ?? '',
  }));
}

function stateOf(run: { status: string; conclusion: string | null }): CommitCheck['state'] {
  if (run.status !== 'completed') {
    return 'pending';
  }
  return failures.includes(run.conclusion ?? '') ? 'failed' : 'passed';
}

const statusSchema = object({
  statuses: array(object({ context: string(), state: string(), target_url: address })),
});

/** Reads "Get the combined status for a specific reference". */
export function readCombinedStatus(body: unknown): readonly CommitCheck[] | undefined {
  return parse(statusSchema, body)?.statuses.map(({ context, state, target_url: link }) => ({
    name: context,
    app: '',
    state: statusStates.get(state) ?? 'pending',
    link: link ?? '',
  }));
}

const statusStates: ReadonlyMap<string, CommitCheck['state']> = new Map([
  ['success', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
]);

const deploymentsSchema = array(
  object({
    id: pipe(number(), integer(), minValue(1)),
    creator: fallback(nullish(object({ login: string() })), undefined),
  }),
);

/** Reads one page of "List deployments". */
export function readDeploymentList(body: unknown): readonly Deployment[] | undefined {
  return parse(deploymentsSchema, body)?.map(({ id, creator }) => ({
    id,
    creator: creator?.login ?? '',
  }));
}

const deploymentStatusesSchema = array(
  object({ state: string(), environment_url: fallback(optional(string(), ''), '') }),
);

/** Reads the newest of "List deployment statuses", which is the first one. */
export function readNewestUrl(body: unknown): string | undefined {
  const statuses = parse(deploymentStatusesSchema, body);
  return statuses && (statuses[0]?.state === 'success' ? statuses[0].environment_url : '');
}
