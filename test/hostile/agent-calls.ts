import { runAgent } from '../helpers/run.ts';
import { type Call, error, isPost, type Place, type Verdict } from './call.ts';
import type { Knowledge } from './faults.ts';
import { startService } from './sound-responses.ts';

export const opened: Verdict = {
  result: 'pull-request',
  reason: '',
  arrivals: 'one',
  fails: false,
};

const verdictsOfPost: Readonly<Record<Knowledge, Verdict>> = {
  harmless: opened,
  'never-left': error('unreachable', 'none'),
  lost: error('job-may-exist'),
  later: error('rate-limited', 'several'),
  'much-later': error('rate-limited'),
};

/** The statuses that mean that nothing was done. After any other, a job may exist. */
function verdictOfPost(status: number, notFound: string): Verdict {
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
}

const timedOut: Verdict = { result: 'timed-out', reason: '', arrivals: 'any', fails: true };

/** The statuses that waiting can mend; those of success come without the job. Any other ends the wait. */
function mayPass(status: number): boolean {
  return status < 300 || status >= 500 || [408, 425, 429].includes(status);
}

/** The API has just answered, so a failure has to occur three times in a row. */
function verdictOfFirstPoll(status: number): Verdict {
  if (mayPass(status)) {
    return timedOut;
  }
  switch (status) {
    case 401:
      return error('key-refused', 'three');
    case 402:
    case 403:
      return error('forbidden', 'three');
    case 404:
      // For a minute after a job was created, a 404 can mean that it is not visible yet.
      return error('unreadable-answer', 'several');
    default:
      return error('request-refused', 'three');
  }
}

const run =
  (inputs: Readonly<Record<string, string>>) =>
  ({ serviceUrl, env, speed }: Place) =>
    runAgent({ baseUrl: serviceUrl, speed, env, inputs: { 'wait-minutes': '2', ...inputs } });

const create: Call = {
  name: 'create',
  server: 'service',
  goodFirst: 0,
  isUnderFire: isPost,
  startSound: startService,
  run: run({}),
  verdictOf: ({ knowledge }) => verdictsOfPost[knowledge],
  verdictOfStatus: (status) => verdictOfPost(status, 'project-not-found'),
  known: {},
};

const followUp: Call = {
  ...create,
  name: 'follow-up',
  goodFirst: 1,
  run: run({ 'job-id': 'job_8f2' }),
  verdictOfStatus: (status) => verdictOfPost(status, 'unreadable-answer'),
  known: { 'job-id': 'job_8f2', repository: 'acme/docs' },
};

const poll: Call = {
  ...create,
  name: 'poll',
  goodFirst: 1,
  isUnderFire: (request) => !isPost(request),
  verdictOf({ knowledge, told }) {
    if (knowledge === 'harmless') {
      return { ...opened, arrivals: 'any' };
    }
    return told === 'request-refused' ? error(told, 'three') : timedOut;
  },
  verdictOfStatus: verdictOfFirstPoll,
  known: {
    'job-id': 'job_8f2',
    repository: 'acme/docs',
    ref: 'docs-agent/job_8f2',
    model: 'model-1',
  },
};

/** The agent action's requests to the API. */
export const agentCalls: readonly Call[] = [create, followUp, poll];
