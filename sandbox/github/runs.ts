import * as v from 'valibot';
import { GitHubError } from './client.ts';
import type { Route } from './route.ts';

/** A workflow run. The local GitHub runs no workflows, it only lists runs. */
export interface WorkflowRun {
  readonly id: number;
  /** `owner/name` */
  readonly repository: string;
  readonly workflowId: number;
  /** The name of the workflow's file, which GitHub takes instead of the id. */
  readonly workflowFile: string;
  readonly event: string;
  readonly branch: string;
  readonly headSha: string;
  /** ISO 8601, in UTC; the first second of 2026 by default. */
  readonly createdAt?: string;
  /** Undefined while the run is in progress. */
  readonly conclusion?: 'success' | 'failure' | 'cancelled';
}

/** Somebody asked for a run of a workflow with `workflow_dispatch`. */
export interface Dispatch {
  /** `owner/name` */
  readonly repository: string;
  /** The workflow's id, or the name of its file. */
  readonly workflow: string;
  readonly login: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
}

const dispatchBody = v.object({
  ref: v.string(),
  inputs: v.optional(v.record(v.string(), v.string()), {}),
});

/**
 * "Get a workflow run", "List workflow runs for a workflow", newest first, and "Create a workflow dispatch
 * event".
 *
 * @param dispatches gets what was asked for, since no workflow runs here
 */
export function runRoutes(runs: readonly WorkflowRun[], dispatches: Dispatch[]): Route[] {
  return [
    {
      method: 'POST',
      path: /^\/repos\/([^/]+\/[^/]+)\/actions\/workflows\/([^/]+)\/dispatches$/,
      handle: ({ identity, body }, [repository = '', workflow = '']) => {
        const { inputs } = v.parse(dispatchBody, JSON.parse(body));
        dispatches.push({ repository, workflow, login: identity?.login, inputs });
        return { status: 204, body: '' };
      },
    },
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/actions\/runs\/(\d+)$/,
      handle: (_, [repository, id]) => {
        const run = runs.find((each) => each.repository === repository && each.id === Number(id));
        return run === undefined
          ? { status: 404, body: { message: 'Not Found' } }
          : { status: 200, body: show(run) };
      },
    },
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/actions\/workflows\/([^/]+)\/runs$/,
      handle: ({ query }, [repository, workflow = '']) => {
        const wanted = new URLSearchParams(query);
        const found = runs
          .filter((run) => run.repository === repository && isOf(run, decodeURIComponent(workflow)))
          .filter((run) => matches(run, wanted))
          .sort((a, b) => b.id - a.id);
        return { status: 200, body: { total_count: found.length, workflow_runs: found.map(show) } };
      },
    },
  ];
}

function matches(run: WorkflowRun, wanted: URLSearchParams): boolean {
  const status = run.conclusion ?? 'in_progress';
  const is = (name: string, value: string) => (wanted.get(name) ?? value) === value;
  return (
    is('branch', run.branch) &&
    is('event', run.event) &&
    is('status', status) &&
    createdAtOf(run) >= sinceIn(wanted.get('created'))
  );
}

function createdAtOf({ createdAt = '2026-01-01T00:00:00Z' }: WorkflowRun): string {
  return createdAt;
}

/** Of GitHub's syntax for dates, only `>=YYYY-MM-DD`. */
function sinceIn(created: string | null): string {
  const [, since] = /^>=(\d{4}-\d\d-\d\d)$/.exec(created ?? '>=0000-01-01') ?? [];
  if (since === undefined) {
    throw new GitHubError('List workflow runs', 422, `"created" cannot be ${created} here`);
  }
  return since;
}

function isOf({ workflowId, workflowFile }: WorkflowRun, idOrFile: string): boolean {
  return idOrFile === String(workflowId) || idOrFile === workflowFile;
}

function show(run: WorkflowRun) {
  const { id, repository, workflowId, workflowFile, event, branch, headSha, conclusion } = run;
  return {
    id,
    workflow_id: workflowId,
    path: `.github/workflows/${workflowFile}`,
    event,
    head_branch: branch,
    head_sha: headSha,
    created_at: createdAtOf(run),
    head_repository: { full_name: repository },
    status: conclusion === undefined ? 'in_progress' : 'completed',
    conclusion: conclusion ?? null,
  };
}
