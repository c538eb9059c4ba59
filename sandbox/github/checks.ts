import type { Route } from './route.ts';

/** A check run, as an app reports it on a commit. */
export interface CheckRun {
  readonly repository: string;
  readonly sha: string;
  readonly name: string;
  /** Undefined while it is in progress. */
  readonly conclusion?:
    | 'success'
    | 'failure'
    | 'neutral'
    | 'cancelled'
    | 'timed_out'
    | 'action_required'
    | 'skipped';
  readonly detailsUrl?: string;
  /** The slug of the app; `docs-agent` by default. */
  readonly app?: string;
}

/** A deployment of a commit, with its last status. */
export interface Deployment {
  readonly repository: string;
  readonly sha: string;
  readonly environment: string;
  readonly state: 'success' | 'failure' | 'error' | 'pending' | 'in_progress';
  readonly environmentUrl?: string;
  /** The login of who deployed; `docs-agent[bot]` by default. */
  readonly creator?: string;
}

/** What apps report on commits. Callers add to it. */
export interface CommitReports {
  readonly checkRuns: CheckRun[];
  readonly deployments: Deployment[];
}

export function noReports(): CommitReports {
  return { checkRuns: [], deployments: [] };
}

const repositoryPath = '^/repos/([^/]+/[^/]+)';

/** "List deployments" and "List deployment statuses". emulate lacks them. */
export function reportRoutes({ deployments }: Omit<CommitReports, 'checkRuns'>): Route[] {
  return [
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/deployments$`),
      handle: ({ query }, [repository]) => {
        const sha = new URLSearchParams(query).get('sha');
        const found = deployments
          .map((deployment, index) => ({ ...deployment, id: index + 1 }))
          .filter((each) => each.repository === repository && (sha ?? each.sha) === each.sha)
          .reverse();
        return { status: 200, body: found.map(showDeployment) };
      },
    },
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/deployments/(\\d+)/statuses$`),
      handle: (_, [repository, id]) => {
        const found = deployments[Number(id) - 1];
        return found !== undefined && found.repository === repository
          ? { status: 200, body: [showDeploymentStatus(found)] }
          : { status: 404, body: { message: 'Not Found' } };
      },
    },
  ];
}

/** "List check runs for a Git reference", which emulate has itself. */
export function checkRunRoutes({ checkRuns }: CommitReports): Route[] {
  return [
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/commits/([^/]+)/check-runs$`),
      handle: ({ query }, [repository, sha]) => {
        const wanted = new URLSearchParams(query);
        const pageSize = Math.min(Number(wanted.get('per_page') ?? 30), 100);
        const start = (Number(wanted.get('page') ?? 1) - 1) * pageSize;
        const found = checkRuns.filter(
          (each) => each.repository === repository && each.sha === sha,
        );
        const page = found.slice(start, start + pageSize).map(showCheckRun);
        return { status: 200, body: { total_count: found.length, check_runs: page } };
      },
    },
  ];
}

function showDeployment(deployment: Deployment & { readonly id: number }) {
  const { id, sha, environment, creator = 'docs-agent[bot]' } = deployment;
  return { id, sha, ref: sha, environment, creator: { login: creator, type: 'Bot' } };
}

function showDeploymentStatus({ state, environmentUrl = '', environment }: Deployment) {
  return {
    id: 1,
    state,
    environment,
    environment_url: environmentUrl,
    target_url: '',
    log_url: '',
  };
}

function showCheckRun(run: CheckRun, index: number) {
  const { name, sha, conclusion, detailsUrl, app = 'docs-agent' } = run;
  return {
    id: index + 1,
    name,
    head_sha: sha,
    status: conclusion === undefined ? 'in_progress' : 'completed',
    conclusion: conclusion ?? null,
    details_url: detailsUrl ?? null,
    html_url: detailsUrl ?? null,
    app: { slug: app, name: app },
    output: { title: null, summary: null },
  };
}
