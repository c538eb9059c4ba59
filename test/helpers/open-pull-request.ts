import { unknown } from 'valibot';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import type { PullRequestRecord } from '../../src/agent/earlier/pull-request-record.ts';
import { createSeals, hiddenLine, hiddenSeal } from '../../src/text/seal.ts';
import { apiKey, type EventRun, runOnEvent } from './run.ts';
import {
  type Reply as ApiReply,
  bot,
  installation,
  jobBody,
  type Routes,
  refusal,
  type ScriptedApi,
  type ScriptedGitHub,
  startBoth,
} from './servers.ts';

/** Requests about the labelled pull request `acme/docs#12`, as `GET /path`. */
export const routes = {
  labelled: 'GET /repos/acme/docs/issues',
  comments: 'GET /repos/acme/docs/issues/12/comments',
  comment: 'POST /repos/acme/docs/issues/12/comments',
  edit: 'PATCH /repos/acme/docs/issues/comments/601',
  pull: 'GET /repos/acme/docs/pulls/12',
  files: 'GET /repos/acme/docs/pulls/12/files',
  label: 'GET /repos/acme/docs/labels/docs',
  makeLabel: 'POST /repos/acme/docs/labels',
  putLabel: 'POST /repos/acme/docs/issues/12/labels',
} as const;

export const oldHead = 'a'.repeat(40);
export const newHead = 'b'.repeat(40);

/** The pull request with a certain last commit. */
export function pullBody(sha = oldHead, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    number: 12,
    title: 'Refresh the docs',
    html_url: '',
    state: 'open',
    created_at: new Date(Date.now() - 9.5 * 86_400_000).toISOString(),
    head: { ref: 'docs-agent/job_8f2', sha },
    base: { ref: 'main', repo: { private: false } },
    changed_files: 2,
    additions: 5,
    deletions: 1,
    ...fields,
  };
}

const markPlace = { purpose: 'pull-request', place: 'acme/docs#12' };

/** A comment as an earlier run has left it on `acme/docs#12`. */
export function marked({
  author = bot,
  id = 601,
  signedWith = apiKey,
  place = 'acme/docs#12',
  ...fields
}: Partial<PullRequestRecord> & {
  readonly author?: string;
  readonly id?: number;
  readonly signedWith?: string;
  readonly place?: string;
} = {}) {
  const mark: PullRequestRecord = {
    jobId: 'job_8f2',
    round: 1,
    run: 'acme/product#900',
    head: oldHead,
    ...fields,
  };
  const line = hiddenLine(createSeals(signedWith).seal(mark, { ...markPlace, place }));
  return { id, user: { login: author }, body: `The docs agent opened this.\n\n${line}\n` };
}

/** What the hidden line of a comment on a pull request says. */
export function markIn(body: unknown, place = 'acme/docs#12'): unknown {
  return createSeals(apiKey).unseal(unknown(), hiddenSeal(String(body)), { ...markPlace, place });
}

/** An entry of the list of issues. */
export function listedPull(number = 12, fields: Readonly<Record<string, unknown>> = {}) {
  const html_url = `https://github.example/acme/docs/pull/${number}`;
  return { number, html_url, title: '::error::x', pull_request: {}, ...fields };
}

/** A GitHub with one labelled pull request, whose comment names the job, before and after a round. */
export const open: Routes = {
  ...installation,
  [routes.labelled]: { status: 200, body: [listedPull()] },
  [routes.comments]: { status: 200, body: [marked()] },
  [routes.comment]: { status: 201, body: { id: 602 } },
  [routes.edit]: { status: 200, body: { id: 601 } },
  [routes.pull]: [
    { status: 200, body: pullBody(oldHead) },
    { status: 200, body: pullBody(newHead) },
  ],
  [routes.files]: { status: 200, body: [{ filename: 'a.mdx' }, { filename: 'b.mdx' }] },
  [routes.label]: { status: 200, body: { name: 'docs' } },
  [routes.putLabel]: { status: 200, body: [] },
};

/** A GitHub without a labelled pull request, on which the job is about to open one. */
export const none: Routes = {
  ...open,
  [routes.labelled]: { status: 200, body: [] },
  [routes.comments]: { status: 200, body: [] },
};

export interface LivingRun extends StepResult {
  readonly github: ScriptedGitHub;
  readonly api: ScriptedApi;
  /** How often GitHub was asked for something, as `GET /path`. */
  count(route: string): number;
  /** The bodies of the requests with this route. */
  sent(route: string): readonly Readonly<Record<string, unknown>>[];
}

/** Replies of an API with one job, which a follow-up makes active until the next poll. */
export function oneJob(
  github: ScriptedGitHub,
  fields: Readonly<Record<string, unknown>> = {},
): ApiReply[] {
  const prLink = `${github.url}/acme/docs/pull/12`;
  let status = 'completed';
  const reply: ApiReply = (request, response) => {
    if (request.method === 'POST') {
      status = 'active';
    }
    const isNew = request.url?.endsWith('/job') === true;
    // The API links no pull request of an active job.
    const isLinked = status !== 'active' && !(isNew && request.method === 'POST');
    const body = jobBody({ status, ...(isLinked && { prLink }), ...fields });
    response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
    if (request.method === 'GET') {
      status = 'completed';
    }
  };
  return [reply];
}

/** The same API for a dry run, which first asks for a job that cannot exist. */
export function oneJobTried(
  github: ScriptedGitHub,
  fields: Readonly<Record<string, unknown>> = {},
): ApiReply[] {
  return [refusal(404), ...oneJob(github, fields)];
}

/** Runs the step on a schedule, with a label and what it does about an open pull request. */
export async function runLiving(
  gitHubRoutes: Routes,
  inputs: Readonly<Record<string, string>> = {},
  script: (github: ScriptedGitHub) => readonly ApiReply[] = oneJob,
  step: Partial<EventRun> = {},
): Promise<LivingRun> {
  const { github, api } = await startBoth(gitHubRoutes, script);
  const result = await runOnEvent({
    eventName: 'schedule',
    event: 'schedule',
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: {
      'pr-label': 'docs',
      'on-open-pr': 'continue',
      'docs-repository': 'acme/docs',
      ...inputs,
    },
  });
  return {
    ...result,
    github,
    api,
    count: (route) => github.calls.filter((call) => call.split('?')[0] === route).length,
    sent: (route) =>
      github.arrivals
        .filter(({ method, path }) => `${method} ${path.split('?')[0]}` === route)
        .map(({ body }) => JSON.parse(body)),
  };
}
