import { expect, it } from 'vitest';
import type { JobDeps } from '../../../../src/agent/job/poll.ts';
import { RefusedError, readBefore, type Send, start } from '../../../../src/agent/job/start.ts';
import type { Reply } from '../../../../src/platform/ask.ts';
import type { Job, JobStatus } from '../../../../src/platform/job.ts';
import { ActionError, CancelledError } from '../../../../src/text/error.ts';
import {
  failed,
  found,
  job,
  jobDeps,
  preparedPrompt,
  pullRequest,
  refused,
} from '../../../helpers/agent.ts';
import { fakeClock, fakeRunner, lagMs } from '../../../helpers/fake-runner.ts';

const create: Send = { kind: 'new', prompt: preparedPrompt({ text: 'Do it' }) };

function followUp(status: JobStatus = 'completed'): Send {
  const prompt = preparedPrompt({ text: 'More' });
  return { kind: 'follow-up', prompt, before: job({ status, pullRequest }), headSha: undefined };
}

/** An API with these responses in order, the last one repeatedly. */
function scene(responses: readonly Reply<Job>[], waitMs = 30 * 60_000, random = 0) {
  const clock = fakeClock(random);
  const sent: string[] = [];
  const queue = [...responses];
  const respond = async (request: string): Promise<Reply<Job>> => {
    sent.push(request);
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? failed();
  };
  const jobs: JobDeps['jobs'] = {
    create: (prompt) => respond(`create ${prompt}`),
    followUp: (jobId, prompt) => respond(`follow up ${jobId} ${prompt}`),
    get: (id) => respond(`read ${id}`),
  };
  const runner = { ...fakeRunner(), clock };
  const deps = jobDeps({ runner, jobs, deadlineMs: clock.nowMs() + waitMs });
  return { deps, clock, sent, runner };
}

const neverLeft = failed({ didNothing: true });

function limited(retryAfterMs = 0): Reply<Job> {
  const error = new ActionError('rate-limited', 'the API responded with 429', 'wait');
  return failed({ status: 429, didNothing: true, error, retryAfterMs });
}

it('a job is created, and its time counts from the attempt that was accepted', async () => {
  const { deps, sent, clock, runner } = scene([neverLeft, limited(5000), found()]);
  const sentMs = expect.closeTo(clock.nowMs() + 7000 + 2 * lagMs);
  await expect(start(create, deps)).resolves.toEqual({ job: job(), sentMs });
  expect(sent).toEqual(['create Do it', 'create Do it', 'create Do it']);
  expect(runner.told).toEqual([
    'info: Nothing was started, because failure without a response; the next attempt is in 2 s.',
    'info: Nothing was started, because the API responded with 429; the next attempt is in 5 s.',
  ]);
});

it('a job gets a follow-up', async () => {
  const { deps, sent } = scene([found({ model: '' })]);
  await expect(start(followUp(), deps)).resolves.toMatchObject({
    job: { status: 'active', model: 'model-1' },
  });
  expect(sent).toEqual(['follow up job_1 More']);
});

/** The delays between requests that provably had no effect, in seconds. */
const unreachable = [2, 4, 8, 16];
const hourMs = 3_600_000;

it.each<[string, readonly Reply<Job>[], number, string, readonly number[]]>([
  [
    'for a minute, if it never left',
    [neverLeft],
    hourMs,
    'Failure without a response',
    unreachable,
  ],
  ['for a minute, without waiting for the job', [neverLeft], 0, 'Failure without', unreachable],
  ['no longer than the step waits', [neverLeft], 70_000, 'Failure without', unreachable],
  [
    'for a minute, without waiting for the job, if it came too early',
    [limited()],
    0,
    'The API responded with 429: wait.',
    unreachable,
  ],
  [
    'as long as the step waits, if it came too early',
    [limited()],
    200_000,
    'The API responded with 429: wait.',
    [2, 4, 8, 16, 32, 60, 60],
  ],
  ['after Retry-After', [limited(600_000), limited(), found()], hourMs, 'job_1', [600, 4]],
  ['no sooner than usual', [limited(0), limited(3000), found()], hourMs, 'job_1', [2, 4]],
  [
    'unless Retry-After is longer than the waiting time',
    [limited(hourMs)],
    hourMs / 2,
    'The API responded with 429 and asks to wait until 2026-01-05 09:01 UTC (1 h): that is longer than wait-minutes allows, so re-run the workflow after that.',
    [],
  ],
  [
    'unless Retry-After is absurd',
    [limited(999_999_999_999_000)],
    hourMs,
    'The API responded with 429 and asks to wait for more than 30 days: that is longer than wait-minutes allows, so re-run the workflow after that.',
    [],
  ],
])('a request without an effect is repeated %s', async (_name, script, waitMs, end, delays) => {
  const { deps, clock, sent } = scene(script, waitMs);
  const ending = await start(create, deps).then(
    ({ job: { id } }) => id,
    (error) => String(error),
  );
  expect(ending).toContain(end);
  expect(clock.delaysMs.map((delayMs) => delayMs / 1000)).toEqual(delays);
  expect(sent).toHaveLength(delays.length + 1);
});

it('requests that failed together are not repeated together', async () => {
  const { deps, clock } = scene([limited(), limited(), found()], hourMs, 0.5);
  await start(create, deps);
  expect(clock.delaysMs).toEqual([1500, 3000]);
});

it('a job is read before its follow-up for some time, even by a step that does not wait', async () => {
  const down = failed({ status: 503 });
  const { deps } = scene([down, down, found()], 0);
  await expect(readBefore('job_1', deps)).resolves.toEqual(job());
  const { deps: never, clock } = scene([down], 0);
  await expect(readBefore('job_1', never)).rejects.toThrow('Failure 503');
  expect(clock.delaysMs).toEqual([10_000, 20_000, 40_000, expect.closeTo(20_000 - 3 * lagMs)]);
});

const lookForJob =
  'a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one';

it.each<[string, Send, Reply<Job>, string]>([
  ['gets no response', create, failed(), `failure without a response: ${lookForJob}`],
  ['gets a 408', create, failed({ status: 408 }), `failure 408: ${lookForJob}`],
  [
    'gets a 503 with Retry-After from the API',
    create,
    failed({ status: 503, retryAfterMs: 1000, isFromApi: true }),
    `failure 503: ${lookForJob}`,
  ],
  ['is redirected', create, failed({ status: 300 }), `failure 300: ${lookForJob}; also, wait`],
  [
    'is a follow-up',
    followUp('failed'),
    failed({ status: 400, isFromApi: true }),
    'failure 400: Mintlify may have received the follow-up to job job_1, so open the job in the dashboard, and then start a new run, with job-id job_1 and no prompt to wait for it or with the prompt to send it again',
  ],
])('a request that %s may have arrived, and is never sent again', async (_name, send, ...row) => {
  const [response, sentence] = row;
  const { deps, sent } = scene([response, found()]);
  await expect(start(send, deps)).rejects.toMatchObject({
    reason: 'job-may-exist',
    message: `${sentence.replace(/^f(.*?):/, 'F$1, after the request was sent:')}.`,
  });
  expect(sent).toHaveLength(1);
});

it('a request that this step stopped because of an internal error may have arrived', async () => {
  const { deps } = scene([]);
  const mistake = new TypeError('no such thing');
  const jobs = { ...deps.jobs, create: () => Promise.reject(mistake) };
  const error = await start(create, { ...deps, jobs }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ reason: 'job-may-exist', cause: mistake });
});

it.each([
  ['may have arrived', failed(), ActionError],
  ['has not arrived, if it never left', neverLeft, CancelledError],
])('a request of a cancelled run %s', async (_name, response, error) => {
  const { deps, runner, sent } = scene([response, found()]);
  runner.stop(new CancelledError('received SIGINT'));
  await expect(start(create, deps)).rejects.toThrow(error);
  expect(sent).toHaveLength(1);
});

it.each<readonly [string, Send, Reply<Job>, boolean]>([
  ...[400, 403, 404, 409, 410, 422].map(
    (status) =>
      [`with ${status} of a follow-up`, followUp('failed'), refused(status), true] as const,
  ),
  ['of the key', followUp('failed'), refused(401), false],
  ['for want of credits', followUp('failed'), refused(402), false],
  ['by a proxy', followUp('failed'), failed({ status: 403, didNothing: true }), false],
])('a refusal %s is sent once', async (_name, send, response, isOfJob) => {
  const { deps, sent } = scene([response, found()]);
  const error: unknown = await start(send, deps).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ reason: 'unreachable' });
  expect(error instanceof RefusedError).toBe(isOfJob);
  expect(sent).toHaveLength(1);
});
