import { expect, it } from 'vitest';
import {
  findPullRequest,
  findRecords,
  isResumed,
  readAttempt,
} from '../../../../src/agent/earlier/find.ts';
import { type JobRecord, signRecord } from '../../../../src/agent/earlier/record.ts';
import { targetOf, withHiddenLine } from '../../../../src/agent/earlier/step-comment.ts';
import { followUpOf } from '../../../../src/agent/job/follow-up.ts';
import { unreadEvent } from '../../../../src/github/event.ts';
import type { Reply } from '../../../../src/platform/ask.ts';
import type { Job, JobStatus } from '../../../../src/platform/job.ts';
import type { Cache } from '../../../../src/runner/cache.ts';
import { ActionError } from '../../../../src/text/error.ts';
import {
  agentInputs,
  asked,
  failed,
  grantedTo,
  job,
  jobDeps,
  jobRecord,
} from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { githubSession } from '../../../helpers/servers.ts';

const requestKey = 'k';

/** A record with the prompt of the step, with changes. */
const ofAttempt = (attempt: number, fields: Partial<JobRecord> = {}) =>
  jobRecord({ requestKey, attempt, jobId: `job_${attempt}`, ...fields });
const another = { promptHash: '000000000000', templateHash: '111111111111' };
/** The placeholders of the prompt were filled with something else. */
const refilled = { promptHash: '000000000000' };

const unseen = { followUp: followUpOf(job({ status: 'failed' }), undefined) };
const seenActive = {
  followUp: { ...unseen.followUp, wasActive: true },
};

type Records = readonly JobRecord[];

function cacheWith(cached: Records | 'failed' | undefined, apiKey: string): Cache {
  const save = async () => ({ kind: 'unavailable' }) as const;
  return {
    save,
    find: async (prefixes) => {
      if (cached === undefined) {
        return { kind: 'unavailable' };
      }
      if (cached === 'failed') {
        return { kind: 'failed', problem: 'the cache is down' };
      }
      const keys = cached.map((record) => signRecord(record, apiKey));
      const found = prefixes.flatMap(
        (prefix) => keys.findLast((key) => key.startsWith(prefix)) ?? [],
      );
      return { kind: 'ok', value: found.slice(0, 1) };
    },
  };
}

interface Places {
  /** From the oldest to the newest. */
  readonly cached?: Records | 'failed';
  /** In one comment of the step, or the refusal of GitHub. */
  readonly commented?: Records | readonly [status: number, message: string];
  /** That all of them were signed with. */
  readonly apiKey?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly attempt?: number;
}

/** What the fourth attempt of a run finds in these places. */
async function search(places: Places): Promise<string> {
  const { cached, commented, apiKey = 'mint_key', attempt = 4 } = places;
  const inputs = agentInputs(places.inputs);
  const granted = grantedTo('octocat', {
    ...unreadEvent,
    thread: { number: 7, isPullRequest: false },
  });
  const githubToken = commented === undefined ? '' : 'a-token';
  const access = { ...granted, inputs: { ...granted.inputs, githubToken } };
  const variables = { GITHUB_REPOSITORY: 'acme/product', GITHUB_RUN_ATTEMPT: `${attempt}` };
  const runner = { ...fakeRunner(variables), cache: cacheWith(cached, apiKey) };
  const target = targetOf('job', { access, inputs }, runner.environment);
  const [first, message] = commented ?? [];
  const comment = (records: Records) => {
    const signed = records.map((record) => signRecord(record, apiKey));
    const own = { key: 'k', records: signed };
    const written = target
      ? { ...target, identity: { ...target.identity, apiKey } }
      : expect.fail('There is no comment.');
    const { body } = withHiddenLine('', { jobId: 'job_1', record: undefined }, own, written);
    return { status: 200, body: [{ id: 1, user: { login: 'someone' }, body }] };
  };
  const reply =
    typeof first === 'number'
      ? { status: first, body: { message } }
      : comment((commented ?? []) as Records);
  const { github } = await githubSession({ 'GET /repos/acme/product/issues/7/comments': reply });
  const request = asked({ access, inputs, ...(inputs.prompt ? {} : { prompt: undefined }) });
  return findRecords(requestKey, request, { runner, github }).then((found) => {
    const nameOf = ({ jobId }: JobRecord) => jobId;
    const more =
      found.kind === 'records' && found.own?.followUp?.wasActive === true ? ' (active)' : '';
    return found.kind === 'records'
      ? `own ${found.own?.jobId}${more}, others ${found.others.map(nameOf).join(' ')}`.trim()
      : found.kind;
  }, String);
}

const noRecords = 'own undefined, others';

const unread = (advice: string) =>
  `ActionError: Nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read: ${advice}.`;
const look =
  'look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one';
const noAnswer = (problem: string) => unread(`${problem}; re-run the workflow later, or ${look}`);
const ofKnown = (instead: string) =>
  `ActionError: Nothing was started, because attempt 2 has job job_2, which may still run, and whether a later attempt started another job could not be read: GitHub responded with 404 ("Not Found"); re-run the workflow later, or ${instead}.`;
const lacking = unread(
  `GitHub responded with 403 ("Resource not accessible by integration"); give github-token the permission "issues: write" ("pull-requests: write" for a pull request), and re-run the workflow, or ${look}`,
);
const denied = [403, 'Resource not accessible by integration'] as const;

it.each<[string, Places, string]>([
  ['are not sought in the first attempt', { cached: [ofAttempt(1)], attempt: 1 }, 'not-searched'],
  ['are sought in the second', { cached: [ofAttempt(1)], attempt: 2 }, 'own job_1, others'],
  [
    'are not sought if a re-run starts a new job',
    { cached: [ofAttempt(3)], inputs: { 'on-rerun': 'new' } },
    'not-searched',
  ],
  [
    'are not sought without a prompt',
    { cached: [ofAttempt(3)], inputs: { 'job-id': 'job_1', prompt: '' } },
    'not-searched',
  ],
  ['may be missing', { cached: [], commented: [] }, noRecords],
  ['may be missing in the only store', { commented: [] }, noRecords],
  ['have no store', {}, 'no-store'],
  ['may be in comments that the token may not read', { commented: denied }, lacking],
  ['may be there if the cache has none', { cached: [], commented: denied }, lacking],
  [
    'may be there if the cache has another one',
    { cached: [ofAttempt(3, another)], commented: denied },
    lacking,
  ],
  ['may be in the cache then', { cached: [ofAttempt(1)], commented: denied }, 'own job_1, others'],
  [
    'may be in comments that are refused',
    { cached: [], commented: [403, 'Slow down'] },
    noAnswer('GitHub responded with 403 ("Slow down")'),
  ],
  [
    'may be in comments that cannot be read',
    { cached: [ofAttempt(2)], commented: [404, 'Not Found'] },
    ofKnown('run this action with job-id job_2 and no prompt'),
  ],
  [
    'may be in such comments after a follow-up that no poll has seen active',
    { cached: [ofAttempt(2, unseen)], commented: [404, 'Not Found'] },
    ofKnown('open that job in the dashboard'),
  ],
  [
    'may be in such comments after a request without a response',
    { cached: [ofAttempt(2, { isConfirmed: false })], commented: [404, 'Not Found'] },
    noAnswer('GitHub responded with 404 ("Not Found")'),
  ],
  [
    'need not be in such comments after the last attempt',
    { cached: [ofAttempt(3)], commented: [404, 'Not Found'] },
    'own job_3, others',
  ],
  [
    'may be in a cache that fails',
    { cached: 'failed', commented: [ofAttempt(3, another)] },
    noAnswer('the cache is down'),
  ],
  ['need an own signature', { commented: [ofAttempt(3)], apiKey: 'mint_other' }, noRecords],
  ['need one in the cache', { cached: [ofAttempt(3)], apiKey: 'mint_other' }, noRecords],
  [
    'of the same prompt are the own ones, and later ones of others matter',
    { commented: [ofAttempt(1), ofAttempt(2), ofAttempt(3, refilled), ofAttempt(1, another)] },
    'own job_2, others job_3',
  ],
  [
    'of the same template are, if no prompt is the same',
    { commented: [ofAttempt(2, refilled), ofAttempt(3, another), ofAttempt(1, another)] },
    'own job_2, others job_3',
  ],
  [
    'of other prompts in the same attempt belong to other uses',
    { commented: [ofAttempt(2), ofAttempt(2, { ...another, jobId: 'job_x' })] },
    'own job_2, others',
  ],
  [
    'of this attempt, or of another request, do not count',
    { commented: [ofAttempt(4), ofAttempt(3, { requestKey: 'other' }), ofAttempt(1)] },
    'own job_1, others',
  ],
  [
    'of one attempt are in the order of time',
    {
      commented: [
        ofAttempt(3, { ...another, jobId: 'job_b', sentAtMs: 2 }),
        ofAttempt(3, { ...another, jobId: 'job_a', sentAtMs: 1 }),
        ofAttempt(2, { ...another, sentAtMs: 9 }),
      ],
    },
    'own undefined, others job_2 job_a job_b',
  ],
  [
    'of one prompt are in the order of what they know',
    {
      cached: [ofAttempt(3)],
      commented: [ofAttempt(3, seenActive), ofAttempt(2), ofAttempt(3)],
    },
    'own job_3 (active), others',
  ],
  [
    'of one prompt tell less if the cache has only the first one',
    { cached: [ofAttempt(3, seenActive), ofAttempt(3)] },
    'own job_3, others',
  ],
  [
    'of the same prompt are found in the cache behind those of others',
    { cached: [ofAttempt(1), ofAttempt(2, refilled), ofAttempt(3, another)] },
    'own job_1, others job_3',
  ],
])('records %s', async (_name, places, found) => {
  expect(await search(places)).toBe(found);
});

const followUpTo = (status: JobStatus) => ({
  followUp: followUpOf(job({ status }), undefined),
});
const sent = followUpTo('failed');

const notFound = new ActionError('job-not-found', 'there is no such job', 'look');
const unknownJob = failed({ status: 404, isFromApi: true, didNothing: true, error: notFound });

/** What became of the jobs of such records, which the API shows in this state. */
async function attemptOf(
  own: JobRecord | undefined,
  others: Records,
  states: Readonly<Record<string, JobStatus | Reply<Job>>>,
) {
  const runner = fakeRunner();
  const get = async (id: string): Promise<Reply<Job>> => {
    const state = states[id] ?? unknownJob;
    return typeof state === 'string'
      ? { kind: 'success', value: job({ id, status: state }) }
      : state;
  };
  const base = jobDeps({ runner, deadlineMs: 0 });
  const { github } = await githubSession({});
  const deps = { ...base, runner, github, jobs: { ...base.jobs, get } };
  const age = (record: JobRecord) => ({
    ...record,
    sentAtMs: runner.clock.epochMs() - record.sentAtMs,
  });
  const search = { kind: 'records', own: own && age(own), others: others.map(age) } as const;
  const found = await readAttempt(search, deps).catch(String);
  const waitedS = runner.clock.delaysMs.reduce(
    (sum, delayMs) => sum + Math.ceil(delayMs / 1000),
    0,
  );
  if (typeof found === 'string' || found.kind !== 'found') {
    return [found, waitedS];
  }
  const resumed = isResumed(found) ? ', resumed' : '';
  return [`${found.record.jobId} ${found.progress?.job.status}${resumed}`, waitedS];
}

/** An old one; its `sentAtMs` is how long ago it was sent. */
const old = (attempt: number, fields: Partial<JobRecord> = {}) =>
  ofAttempt(attempt, { sentAtMs: 120_000, ...fields });
const unconfirmed = { isConfirmed: false, jobId: '' };
const noResponse = 'ActionError: Attempt 1 of this run got no response to its request: ';
const sentAnother = (outcome: string, how: string) =>
  `ActionError: Nothing was started, because attempt 2 of this run sent another prompt, ${outcome}: to wait for that job, start a new run with ${how} and no prompt; to send this prompt, start a new run with it; and if one run uses this action several times, give each use a name of its own in the input matrix.`;

it.for<readonly [string, Parameters<typeof attemptOf>, string, waitedS?: number]>([
  ['is resumed while it is active', [old(1), [], { job_1: 'active' }], 'job_1 active, resumed'],
  ['is resumed at its end', [old(1), [old(2)], { job_1: 'completed' }], 'job_1 completed, resumed'],
  ['is not resumed if it failed', [old(1), [], { job_1: 'failed' }], 'job_1 failed'],
  ['has failed soon', [old(1, { sentAtMs: 0 }), [], { job_1: 'failed' }], 'job_1 failed'],
  ['is not resumed if it was archived', [old(1), [], { job_1: 'archived' }], 'job_1 archived'],
  ['may be gone', [old(1), [], {}], 'job_1 undefined', 30],
  [
    'is resumed if it had failed before a follow-up of a moment ago',
    [old(1, { ...sent, sentAtMs: 599_999 }), [], { job_1: 'failed' }],
    'job_1 active, resumed',
  ],
  [
    'is not resumed if it was seen active since that follow-up',
    [old(1, { ...seenActive, sentAtMs: 0 }), [], { job_1: 'failed' }],
    'job_1 failed',
  ],
  [
    'is not resumed if it failed after a follow-up of a moment ago',
    [old(1, { ...followUpTo('completed'), sentAtMs: 0 }), [], { job_1: 'failed' }],
    'job_1 failed',
  ],
  [
    'has failed after an old follow-up',
    [old(1, { ...sent, sentAtMs: 600_000 }), [], { job_1: 'failed' }],
    'job_1 failed',
  ],
  [
    'may exist without a response',
    [old(1, unconfirmed), [], {}],
    `${noResponse}a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.`,
  ],
  [
    'may have got a follow-up without a response',
    [old(1, { ...sent, isConfirmed: false }), [], {}],
    `${noResponse}Mintlify may have received the follow-up to job job_1, so open the job in the dashboard, and then start a new run, with job-id job_1 and no prompt to wait for it or with the prompt to send it again.`,
  ],
  [
    'of another prompt may be there',
    [old(1), [old(2)], { job_1: 'failed', job_2: 'active' }],
    sentAnother('and its job job_2 is active', 'job-id job_2'),
  ],
  [
    'of another prompt may have ended well',
    [undefined, [old(2), old(3)], { job_2: 'completed', job_3: 'failed' }],
    sentAnother('and its job job_2 has completed', 'job-id job_2'),
  ],
  [
    'of another prompt may work on a follow-up',
    [undefined, [old(2, { ...sent, sentAtMs: 0 })], { job_2: 'failed' }],
    sentAnother('and its job job_2 is active', 'job-id job_2'),
  ],
  [
    'of another prompt may exist',
    [undefined, [old(2, unconfirmed)], {}],
    sentAnother('and got no response, so a job may exist', 'its id in job-id'),
  ],
  [
    'of another prompt is no matter if it failed',
    [undefined, [old(2), old(3)], { job_2: 'archived', job_3: 'failed' }],
    'job_3 failed',
  ],
  [
    'of its own prompt is told first',
    [old(1), [old(2)], { job_1: 'failed', job_2: 'archived' }],
    'job_1 failed',
  ],
  [
    'cannot be read',
    [old(1), [], { job_1: failed({ status: 503 }) }],
    'ActionError: Failure 503: wait.',
    90,
  ],
])('the job of an earlier attempt %s', async ([, parameters, found, waitedS = 0]) => {
  expect(await attemptOf(...parameters)).toEqual([found, waitedS]);
});

it('no open pull request is sought for the follow-up to a certain job', async () => {
  const inputs = agentInputs({ 'job-id': 'job_1', 'pr-label': 'docs', 'on-open-pr': 'continue' });
  const { server, github } = await githubSession({});
  const runner = fakeRunner();
  const deps = { ...jobDeps({ runner }), runner, github };
  const found = await findPullRequest(asked({ inputs }), undefined, { kind: 'none' }, deps);
  expect(found).toEqual({ pullRequest: undefined, doubts: [] });
  expect(server.calls).toEqual([]);
});
