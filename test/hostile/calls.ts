import { jobBody, prLink } from '../helpers/scripted-service.ts';
import type { Knowledge } from './faults.ts';
import type { Answer } from './http-bytes.ts';
import type { RawRequest } from './raw-server.ts';

/** How a run has to end. */
export interface Verdict {
  readonly result: string;
  readonly reason: string;
  /** How many of the requests under fire may have arrived. */
  readonly arrivals: 'none' | 'one' | 'several' | 'any';
}

/** A request of an action that is put under fire. */
export interface Call {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** How many sound answers come before the request under fire. */
  readonly goodFirst: number;
  isUnderFire(request: RawRequest): boolean;
  /** What a sound service answers. */
  goodAnswer(request: RawRequest): Answer;
  verdictOf(knowledge: Knowledge): Verdict;
  /** The verdict for a status with a proxy's HTML. */
  verdictOfStatus(status: number): Verdict;
  /** Outputs that were known before the fault. */
  readonly known: Readonly<Record<string, string>>;
}

const opened: Verdict = { result: 'pull-request', reason: '', arrivals: 'one' };
const error = (reason: string, arrivals: Verdict['arrivals'] = 'one'): Verdict => ({
  result: 'error',
  reason,
  arrivals,
});

const verdictsOfPost: Readonly<Record<Knowledge, Verdict>> = {
  harmless: opened,
  'never-left': error('unreachable', 'none'),
  lost: error('job-may-exist'),
  later: error('rate-limited', 'several'),
  'much-later': error('rate-limited'),
};

/** The statuses that say that nothing was done; after any other a job may exist. */
function verdictOfPost(status: number, notFound: string): Verdict {
  switch (status) {
    case 401:
      return error('key-refused');
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
}

const timedOut: Verdict = { result: 'timed-out', reason: '', arrivals: 'any' };

function verdictOfFirstLook(status: number): Verdict {
  const reasons = new Map([
    [400, 'request-refused'],
    [401, 'key-refused'],
    [403, 'forbidden'],
    [404, 'job-not-found'],
  ]);
  const reason = reasons.get(status);
  return reason === undefined ? timedOut : error(reason, 'any');
}

const job = (status: number, fields: Readonly<Record<string, unknown>> = {}): Answer => ({
  status,
  body: jobBody(fields),
});
const done = job(200, { status: 'completed', prLink });
const isPost = ({ method }: RawRequest): boolean => method === 'POST';

const create: Call = {
  name: 'create',
  inputs: {},
  goodFirst: 0,
  isUnderFire: isPost,
  goodAnswer: (request) => (isPost(request) ? job(201) : done),
  verdictOf: (knowledge) => verdictsOfPost[knowledge],
  verdictOfStatus: (status) => verdictOfPost(status, 'project-not-found'),
  known: {},
};

const followUp: Call = {
  ...create,
  name: 'follow-up',
  inputs: { 'job-id': 'job_8f2' },
  goodFirst: 1,
  goodAnswer: (request) => (isPost(request) ? job(200) : done),
  verdictOfStatus: (status) => verdictOfPost(status, 'job-not-found'),
  known: { 'job-id': 'job_8f2', repository: 'acme/docs', 'pr-link': prLink },
};

const look: Call = {
  ...create,
  name: 'look',
  goodFirst: 1,
  isUnderFire: (request) => !isPost(request),
  verdictOf: (knowledge) => (knowledge === 'harmless' ? { ...opened, arrivals: 'any' } : timedOut),
  verdictOfStatus: verdictOfFirstLook,
  known: { 'job-id': 'job_8f2', repository: 'acme/docs', ref: 'main', model: 'model-1' },
};

/** The requests of the agent action. */
export const agentCalls: readonly Call[] = [create, followUp, look];
