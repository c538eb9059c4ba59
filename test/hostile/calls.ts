import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { runAgent, runOnEvent, runVisitors } from '../helpers/run.ts';
import { bot, jobBody, permissions, prLink, row, totals } from '../helpers/servers.ts';
import type { Fault, Knowledge, RawRequest, RawResponse } from './faults.ts';

/** How a run must end. */
export interface Verdict {
  readonly result: string;
  readonly reason: string;
  /** How many of the tested requests may have arrived. */
  readonly arrivals: 'none' | 'one' | 'three' | 'several' | 'any';
  readonly fails: boolean;
}

/** The servers of a run, and the rest of its environment. */
export interface Place {
  readonly serviceUrl: string;
  readonly githubUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many times faster than real time the step's clock runs. */
  readonly speed: number;
}

/** The responses of a server without faults. */
export type Sound = (request: RawRequest) => RawResponse;

/** A request of an action that is tested with faults. */
export interface Call {
  readonly name: string;
  /** The server with the fault; the other one works. */
  readonly server: 'service' | 'github';
  /** Whether all faults are tried, or only those that are `isOfItsKind`: one call of each client has them all. */
  readonly hasAll: boolean;
  /** How many good responses that server gives before the tested request. */
  readonly goodFirst: number;
  isUnderFire(request: RawRequest): boolean;
  run(place: Place): Promise<StepResult>;
  verdictOf(fault: Fault): Verdict;
  /** Outputs that are known before the fault. */
  readonly known: Readonly<Record<string, string>>;
}

const isPost = ({ method }: RawRequest) => method === 'POST';

/** An API whose job is completed at the first poll. Before a follow-up, it had another pull request. */
export function soundService(): Sound {
  let link = `${prLink}1`;
  return (request) => {
    if (request.path.includes('/analytics/')) {
      return { status: 200, body: { totals, visitors: [row('/'), row('/start')], hasMore: false } };
    }
    link = isPost(request) ? prLink : link;
    const isCreate = isPost(request) && request.path.endsWith('/job');
    const end = isPost(request) ? {} : { status: 'completed', prLink: link };
    return { status: isCreate ? 201 : 200, body: jobBody(end) };
  };
}

const postedComment = v.object({ body: v.string() });

/**
 * A GitHub where an owner labels an issue without comments. It stores and lists new comments even if the
 * response is lost, so a step that does not search for its comment would leave two.
 */
export function soundGitHub(): Sound {
  const comments: object[] = [];
  const routes: Readonly<Record<string, unknown>> = {
    ...permissions({ owner: 'admin' }),
    'POST /graphql': { status: 200, body: { data: { viewer: { login: bot } } } },
    'PATCH /repos/acme/product/issues/comments/501': { status: 200, body: { id: 501 } },
    'GET /repos/acme/product': { status: 200, body: { full_name: 'acme/product' } },
    'GET /repos/acme/product/issues/7/comments': { status: 200, body: comments },
  };
  return ({ method, path, body }) => {
    const route = `${method} ${path.split('?')[0]}`;
    if (route === 'POST /repos/acme/product/issues/7/comments') {
      const id = 501 + comments.length;
      comments.push({ id, user: { login: bot }, ...v.parse(postedComment, JSON.parse(body)) });
      return { status: 201, body: { id } };
    }
    const found = v.safeParse(v.looseObject({ status: v.number() }), routes[route]);
    return found.success ? found.output : { status: 404, body: { message: 'Not Found' } };
  };
}

function error(reason: string, arrivals: Verdict['arrivals'] = 'one'): Verdict {
  return { result: 'error', reason, arrivals, fails: true };
}

const opened: Verdict = { result: 'pull-request', reason: '', arrivals: 'one', fails: false };
const timedOut: Verdict = { result: 'timed-out', reason: '', arrivals: 'any', fails: true };

const verdictsOfPost: Readonly<Record<Exclude<Knowledge, 'status'>, Verdict>> = {
  harmless: opened,
  'never-left': error('unreachable', 'none'),
  lost: error('job-may-exist'),
  later: error('rate-limited', 'several'),
  'much-later': error('rate-limited'),
};

/** A POST is not repeated after a status that proves that nothing was done. After any other, a job may exist. */
const verdictOfPost =
  (notFound: string) =>
  ({ knowledge, status = 0 }: Fault): Verdict => {
    if (knowledge !== 'status') {
      return verdictsOfPost[knowledge];
    }
    switch (status) {
      case 401:
        return error('key-refused');
      case 402:
      case 403:
        return error('forbidden');
      case 404:
        return error(notFound);
      case 425:
      case 429:
        return verdictsOfPost.later;
      default:
        return status >= 400 && status < 500 && status !== 408
          ? error('request-refused')
          : verdictsOfPost.lost;
    }
  };

/** The API has just answered, so a failure that waiting cannot mend has to occur three times in a row. */
function verdictOfPoll({ knowledge, told, status = 0 }: Fault): Verdict {
  if (knowledge !== 'status') {
    const waits = told === 'request-refused' ? error(told, 'three') : timedOut;
    return knowledge === 'harmless' ? { ...opened, arrivals: 'any' } : waits;
  }
  // Those of success come without the job.
  if (status < 300 || status >= 500 || [408, 425, 429].includes(status)) {
    return timedOut;
  }
  switch (status) {
    case 401:
      return error('key-refused', 'three');
    case 403:
      return error('forbidden', 'three');
    case 404:
      // For a minute after a job was created, a 404 can mean that it is not visible yet.
      return error('unreadable-answer', 'several');
    default:
      return error('request-refused', 'three');
  }
}

/** The request is retried, but after a response that is not a list there are at most two more. */
function verdictOfExport({ knowledge, told, isPutOff, status = 0 }: Fault): Verdict {
  switch (knowledge) {
    case 'harmless':
      return { ...opened, result: 'exported' };
    case 'never-left':
      return error('unreachable', 'none');
    case 'lost':
      return told === undefined
        ? error('unreachable', isPutOff ? 'one' : 'several')
        : error(told, told === 'request-refused' ? 'one' : 'three');
    case 'later':
      return error('rate-limited', 'several');
    case 'much-later':
      return error('rate-limited');
    case 'status':
      return verdictOfExportStatus(status);
  }
}

function verdictOfExportStatus(status: number): Verdict {
  switch (status) {
    case 401:
      return error('key-refused');
    case 403:
      return error('forbidden');
    case 404:
      return error('project-not-found', 'several');
    case 408:
      return error('request-refused', 'several');
    case 425:
    case 429:
      return error('rate-limited', 'several');
    default:
      if (status < 300) {
        return error('unreadable-answer', 'three');
      }
      return status < 500 ? error('request-refused') : error('unreachable', 'several');
  }
}

/** The check fails closed, and before anything is sent to the API. */
function verdictOfPermissionCheck({ knowledge, name, status }: Fault): Verdict {
  if (status === 404) {
    return { result: 'skipped', reason: 'actor-not-allowed', arrivals: 'any', fails: false };
  }
  // Octokit parses JSON only if its content type says that it is JSON.
  return knowledge === 'harmless' && name !== 'wrong content type'
    ? { ...opened, arrivals: 'any' }
    : error('permission-check-failed', 'any');
}

/** The comment is optional: whatever goes wrong, the step ends as it would without one. */
function verdictOfComment({ knowledge, connection }: Fault): Verdict {
  // If a connection breaks before a request is read, it is unknown which request it was for. After a
  // rate limit, the request is repeated if GitHub says for when, in seconds.
  const isAny = connection !== undefined || knowledge === 'later';
  return { ...opened, arrivals: isAny ? 'any' : knowledge === 'never-left' ? 'none' : 'one' };
}

const runJob =
  (inputs: Readonly<Record<string, string>> = {}) =>
  ({ serviceUrl, env, speed }: Place) =>
    runAgent({ baseUrl: serviceUrl, speed, env, inputs: { 'wait-minutes': '2', ...inputs } });

const runLabelled = ({ serviceUrl, githubUrl, env, speed }: Place) =>
  runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl,
    baseUrl: serviceUrl,
    speed,
    env,
    inputs: { 'wait-minutes': '2' },
  });

async function runExport({ serviceUrl: baseUrl, env, speed }: Place): Promise<StepResult> {
  // Made here, because tests that run at the same time cannot use onTestFinished.
  const workspace = mkdtempSync(join(tmpdir(), 'visitors-under-fire-'));
  try {
    return await runVisitors({ baseUrl, workspace, speed, env });
  } finally {
    rmSync(workspace, { recursive: true });
  }
}

/** The requests of both clients: the one of the API, and the one of GitHub. */
export const calls: readonly Call[] = [
  {
    name: 'create',
    server: 'service',
    hasAll: true,
    goodFirst: 0,
    isUnderFire: isPost,
    run: runJob(),
    verdictOf: verdictOfPost('project-not-found'),
    known: {},
  },
  {
    name: 'follow-up',
    server: 'service',
    hasAll: false,
    goodFirst: 1,
    isUnderFire: isPost,
    run: runJob({ 'job-id': 'job_8f2' }),
    verdictOf: verdictOfPost('unreadable-answer'),
    known: { 'job-id': 'job_8f2' },
  },
  {
    name: 'poll',
    server: 'service',
    hasAll: false,
    goodFirst: 1,
    isUnderFire: (request) => !isPost(request),
    run: runJob(),
    verdictOf: verdictOfPoll,
    known: {
      'job-id': 'job_8f2',
      repository: 'acme/docs',
      ref: 'docs-agent/job_8f2',
      model: 'model-1',
    },
  },
  {
    name: 'visitors',
    server: 'service',
    hasAll: false,
    goodFirst: 0,
    isUnderFire: () => true,
    run: runExport,
    verdictOf: verdictOfExport,
    known: {},
  },
  {
    name: 'permission check',
    server: 'github',
    hasAll: true,
    goodFirst: 0,
    isUnderFire: ({ path }) => path.includes('/collaborators/'),
    run: runLabelled,
    verdictOf: verdictOfPermissionCheck,
    known: {},
  },
  {
    name: 'comment',
    server: 'github',
    hasAll: false,
    goodFirst: 1,
    isUnderFire: (request) => isPost(request) && request.path.endsWith('/comments'),
    run: runLabelled,
    verdictOf: verdictOfComment,
    known: { 'job-id': 'job_8f2' },
  },
];
