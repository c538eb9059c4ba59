import * as v from 'valibot';
import { type Call, noContent, ok, paged, type Routes } from './route.ts';
import { showCheckRun, showRun } from './show.ts';
import { notFound, Refusal, type WorkflowRun } from './state.ts';

const text = v.string();
const checkRunBody = v.object({
  name: text,
  head_sha: text,
  conclusion: v.optional(text),
});
const dispatchBody = v.object({
  ref: text,
  inputs: v.optional(v.record(text, text), {}),
});

/** GitHub's field `permission` has only four values. All others are only in `role_name`. */
const basePermissions: Readonly<Record<string, string>> = { maintain: 'write', triage: 'read' };

/** People, releases, check runs and workflow runs. */
export const otherRoutes: Routes = {
  'GET /user'({ request: { identity }, show }) {
    if (identity === undefined) {
      throw new Refusal(401, 'Requires authentication');
    }
    // An app's token has no user.
    if (identity.isApp) {
      throw new Refusal(403, 'Resource not accessible by integration');
    }
    return ok(show.account(identity.login));
  },
  'GET /users/{login}': (call) => ok(userIn(call)),
  'GET /repos/{repo}': ({ repository, show }) => ok(show.repository(repository)),
  'GET /repos/{repo}/collaborators/{login}/permission'(call) {
    const role = call.repository && call.state.roles[call.part('login')];
    const user = userIn(call);
    return ok({ permission: basePermissions[role ?? ''] ?? role, role_name: role, user });
  },
  'GET /repos/{repo}/releases'(call) {
    const { state, repository, show } = call;
    const found = state.releases.filter((release) => release.repository === repository.name);
    return paged(call, found.toReversed().map(show.release));
  },

  'GET /repos/{repo}/commits/{sha}/check-runs'(call) {
    const found = call.state.checkRuns.filter(
      ({ repository, sha }) => repository === call.repository.name && sha === call.part('sha'),
    );
    return paged(call, found.map(showCheckRun), (page) => ({
      total_count: found.length,
      check_runs: page,
    }));
  },
  'POST /repos/{repo}/check-runs'({ state, repository, body, login }) {
    const { name, head_sha: sha, conclusion } = body(checkRunBody);
    const app = login.replace('[bot]', '');
    const run = { repository: repository.name, sha, name, conclusion, app };
    state.checkRuns.push(run);
    return ok(showCheckRun(run, state.checkRuns.length - 1), 201);
  },
  'GET /repos/{repo}/actions/runs/{id}'({ state, repository, part }) {
    const found = state.runs.find(
      (run) => run.repository === repository.name && run.id === Number(part('id')),
    );
    if (found === undefined) {
      throw notFound();
    }
    return ok(showRun(found));
  },
  'GET /repos/{repo}/actions/workflows/{workflow}/runs'(call) {
    const isOf = ({ workflowId, workflowFile }: WorkflowRun) =>
      [String(workflowId), workflowFile].includes(call.part('workflow'));
    const found = call.state.runs
      .filter((run) => run.repository === call.repository.name && isOf(run))
      .filter((run) => isWanted(run, call))
      .toSorted((a, b) => b.id - a.id);
    return paged(call, found.map(showRun), (page) => ({
      total_count: found.length,
      workflow_runs: page,
    }));
  },
  'POST /repos/{repo}/actions/workflows/{workflow}/dispatches'(call) {
    const { state, repository, part, login } = call;
    const { inputs } = call.body(dispatchBody);
    state.dispatches.push({
      repository: repository.name,
      workflow: part('workflow'),
      login,
      inputs,
    });
    return noContent;
  },
};

/** @throws {Refusal} */
function userIn({ state, show, part }: Call) {
  const login = part('login');
  if (state.roles[login] === undefined) {
    throw notFound();
  }
  return show.account(login);
}

function isWanted(run: WorkflowRun, { query }: Call): boolean {
  const is = (name: string, value: string) => (query.get(name) ?? value) === value;
  const { status, created_at: created, event, head_branch: branch, conclusion } = showRun(run);
  return (
    is('branch', branch) &&
    is('event', event) &&
    (is('status', status) || is('status', conclusion ?? '')) &&
    created >= sinceIn(query.get('created'))
  );
}

/** Reads `>=YYYY-MM-DD`, which is a small part of GitHub's syntax for dates. */
function sinceIn(created: string | null): string {
  const [, since] = /^>=(\d{4}-\d\d-\d\d)$/.exec(created ?? '>=0000-01-01') ?? [];
  if (since === undefined) {
    throw new Refusal(422, `"created" cannot be ${created} here`);
  }
  return since;
}
