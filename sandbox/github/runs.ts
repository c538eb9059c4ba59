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
  /** Undefined while the run is in progress. */
  readonly conclusion?: 'success' | 'failure' | 'cancelled';
}

/** "Get a workflow run", and "List workflow runs for a workflow", newest first. */
export function runRoutes(runs: readonly WorkflowRun[]): Route[] {
  return [
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
  return is('branch', run.branch) && is('event', run.event) && is('status', status);
}

function isOf({ workflowId, workflowFile }: WorkflowRun, idOrFile: string): boolean {
  return idOrFile === String(workflowId) || idOrFile === workflowFile;
}

function show({ id, repository, workflowId, workflowFile, event, ...run }: WorkflowRun) {
  const { branch, headSha, conclusion } = run;
  return {
    id,
    workflow_id: workflowId,
    path: `.github/workflows/${workflowFile}`,
    event,
    head_branch: branch,
    head_sha: headSha,
    head_repository: { full_name: repository },
    status: conclusion === undefined ? 'in_progress' : 'completed',
    conclusion: conclusion ?? null,
  };
}
