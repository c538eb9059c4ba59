import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FollowUp, followUpOf } from '../../../../src/agent/job/follow-up.ts';
import {
  adaptiveIntervalMs,
  type JobDeps,
  poll,
  pollUntilRead,
  resultOfPolls,
} from '../../../../src/agent/job/poll.ts';
import type { PolledJob } from '../../../../src/agent/job/polled-job.ts';
import { beginProgress, type Seen } from '../../../../src/agent/job/progress.ts';
import type { Reply } from '../../../../src/platform/ask.ts';
import type { Job } from '../../../../src/platform/job.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { failed, found, job, jobDeps, pullRequest, refused } from '../../../helpers/agent.ts';
import { fakeClock, fakeRunner } from '../../../helpers/fake-runner.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Fields {
  readonly source?: PolledJob['source'];
  /** The response to the request that this step has sent. */
  readonly job?: Job;
  readonly followUp?: FollowUp;
  readonly waitMs?: number;
  readonly pollIntervalMs?: number;
}

/** An API with these responses to polls in order, the last one repeatedly. Each poll takes 100 ms. */
function scene(responses: readonly Reply<Job>[], fields: Fields = {}) {
  const { waitMs = 30 * minuteMs, pollIntervalMs, source = 'created', followUp } = fields;
  const { job: posted = source === 'created' ? job() : undefined } = fields;
  const clock = fakeClock();
  // Not zero, because otherwise a sum instead of a difference would go unnoticed.
  clock.advance(10_000_000);
  const runner = { ...fakeRunner(), clock };
  const timeoutsMs: number[] = [];
  const nowMs = clock.nowMs();
  const started: PolledJob = { source, id: 'job_1', sentMs: nowMs, sinceMs: nowMs };
  const progress = beginProgress(posted, followUp);
  const queue = [...responses];
  const base = jobDeps({ runner, deadlineMs: nowMs + waitMs, pollIntervalMs });
  const get: JobDeps['jobs']['get'] = async (_id, timeoutMs) => {
    timeoutsMs.push(Math.ceil(timeoutMs));
    clock.advance(100);
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? failed();
  };
  return { started, progress, deps: { ...base, jobs: { ...base.jobs, get } }, runner, timeoutsMs };
}

/** All that the polls yield. */
async function seenBy(
  { started, progress, deps }: Omit<ReturnType<typeof scene>, 'runner' | 'timeoutsMs'>,
  waitMs = 1,
) {
  const all: Seen[] = [];
  for await (const seen of poll(started, progress, waitMs, deps)) {
    all.push(seen);
  }
  return all;
}

/** How the polls end, and their delays and time limits, in seconds. */
async function polled(responses: readonly Reply<Job>[], fields: Fields) {
  const given = scene(responses, fields);
  const { runner, timeoutsMs } = given;
  const { waitMs } = fields;
  const ending = seenBy(given, waitMs).then((all) => {
    const seen = all.at(-1) ?? expect.fail('There is no poll.');
    const end = resultOfPolls(seen, waitMs ?? 1);
    const { job: _job, result, ...rest } = { job, ...end };
    return [result, ...('link' in end ? [end.link.url] : Object.values(rest))].join(' ');
  });
  const end = await ending.catch(String);
  // Sleeps end late, so that what is left of the waiting time has fractions.
  const seconds = (all: readonly number[]) => all.map((each) => Math.ceil(each / 100) / 10);
  return { end, delays: seconds(runner.clock.delaysMs), timeouts: seconds(timeoutsMs) };
}

const active = found();
const done = found({ status: 'completed', pullRequest });
const doneWithout = found({ status: 'completed' });
const other = found({ status: 'completed', pullRequest: { kind: 'link', url: 'https://a.b/c' } });
const down = failed({ status: 503 });
const refusal = refused(403);
/** A proxy, or the API while it is deployed. */
const notFound = failed({ status: 404 });
const limited = failed({ status: 429, retryAfterMs: 90_000 });

const opened = `pull-request ${pullRequest.url}`;
const unopened = 'no-pull-request';
const failure = (status: number) => `ActionError: Failure ${status}: wait.`;

const attached = { source: 'attached' } as const;
const bare = job({ status: 'completed' });
const before = job({ status: 'completed', pullRequest });
const followUpTo = (job: Job) =>
  ({ source: 'followed-up', job, followUp: followUpOf(job, undefined) }) as const;
const followedUp = followUpTo(before);
const followedUpBare = followUpTo(bare);

type Row = readonly [
  name: string,
  responses: readonly Reply<Job>[],
  fields: Fields,
  end: string,
  delays: readonly number[],
  timeouts?: readonly number[],
];

it.for<Row>([
  ['have an adaptive interval', [active, active, done], {}, opened, [10, 10, 10], [30, 30, 30]],
  ['can have a fixed one', [active, done], { pollIntervalMs: 1500 }, opened, [1.5, 1.5]],
  ['end at the deadline', [active], { waitMs: 22_000 }, 'timed-out', [10, 10, 1.8], [12, 5, 5]],
  ['see an end there', [active, active, done], { waitMs: 22_000 }, opened, [10, 10, 1.8]],
  ['can fail there', [down], { waitMs: 11_000 }, 'timed-out failure 503', [10, 0.9]],

  ['confirm that there is no link', [doneWithout], {}, unopened, [10, 3, 3], [30, 2, 2]],
  ['confirm it sooner', [doneWithout], { pollIntervalMs: 1000 }, unopened, [1, 1, 1]],
  ['confirm it no later', [doneWithout], { pollIntervalMs: 20_000 }, unopened, [20, 3, 3]],
  ['find a link after the deadline', [doneWithout, done], { waitMs: 1000 }, opened, [1, 3], [5, 2]],
  [
    'confirm it if they fail',
    [doneWithout, failed(), failed({ status: 503 }), doneWithout],
    {},
    unopened,
    [10, 3, 3],
  ],
  [
    'confirm it anew if the job was active in between',
    [doneWithout, doneWithout, active, doneWithout, doneWithout, done],
    {},
    opened,
    [10, 3, 3, 10, 3, 3],
  ],
  ['need not confirm a failed job', [found({ status: 'failed' })], {}, 'failed', [10]],
  ['need not confirm an archived one', [found({ status: 'archived' })], {}, 'archived', [10]],

  ['slow down', [...Array(6).fill(failed()), done], {}, opened, [10, 10, 20, 40, 60, 60, 60]],
  [
    'go back to the interval after a good one',
    [limited, failed(), failed(), active, failed(), done],
    { pollIntervalMs: 5000 },
    opened,
    [5, 90, 10, 20, 5, 5],
  ],
  ['wait no less', [failed({ status: 429, retryAfterMs: 1000 }), done], {}, opened, [10, 10]],
  ['wait no longer', [limited], { waitMs: 120_000 }, 'timed-out failure 429', [10, 90, 19.8]],
  ['say why all failed', [down], { ...attached, waitMs: 4000 }, failure(503), [3.9]],

  ['end with the first refusal', [refusal], attached, failure(403), []],
  ['end with the third refusal after a good one', [refusal], {}, failure(403), [10, 10, 20]],
  ['end with the third after a follow-up', [refusal], followedUp, failure(403), [10, 10, 20]],
  [
    'go on after two refusals in a row',
    [refusal, refusal, active, refusal, refusal, failed(), refusal, done],
    { pollIntervalMs: 5000 },
    opened,
    [5, 5, 10, 5, 5, 10, 20, 40],
  ],
  ['find a new job within a minute', [refused(404)], {}, failure(404), [10, 10, 20, 40]],
  ['find no unknown job', [refused(404)], attached, failure(404), []],
  ['ask a proxy three times', [notFound], attached, failure(404), [10, 20]],
  [
    'ask again if something else failed in between',
    [notFound, notFound, failed(), notFound, notFound, done],
    attached,
    opened,
    [10, 20, 40, 60, 60],
  ],

  [
    'see no end from before a follow-up',
    [done, active, done],
    followedUp,
    opened,
    [10, 10, 10, 3, 3],
  ],
  [
    'see that the job works on, though one returned its earlier state',
    [active, done, active, found({ status: 'failed' })],
    followedUp,
    'failed',
    [10, 10, 3, 10],
  ],
  [
    'see so even if several returned it',
    [active, done, done, active, found({ status: 'failed' })],
    followedUp,
    'failed',
    [10, 10, 3, 3, 10],
  ],
  ['see another end', [found({ status: 'failed' })], followedUp, 'failed', [10]],
  ['see another link', [other], followedUp, 'pull-request https://a.b/c', [10]],
  [
    'see an end after a response to the follow-up that was active',
    [done, found({ status: 'failed', pullRequest })],
    { ...followedUp, job: job() },
    `failed ${pullRequest.url}`,
    [10, 10],
  ],
  [
    'end at the deadline, though the link of before was missing for a moment',
    [doneWithout, done],
    { ...followedUp, waitMs: 22_000 },
    'timed-out',
    [10, 3, 8.8],
  ],
  ['see an end without a link', [active, doneWithout], followedUpBare, unopened, [10, 10, 3, 3]],
  [
    'see the state of before as the end after ten minutes',
    [doneWithout],
    { ...followedUpBare, pollIntervalMs: 299_000 },
    unopened,
    [299, 299, 299, 3, 3],
  ],
  [
    'see no end in it before',
    [doneWithout],
    { ...followedUpBare, pollIntervalMs: 299_000, waitMs: 599_000 },
    'timed-out',
    [299, 299, 0.8],
  ],

  // A step that does not wait leaves its own job alone, and reads another one.
  ['are not made', [done], { waitMs: 0 }, 'running', []],
  ['are made once', [active], { ...attached, waitMs: 0 }, 'running', [], [30]],
  ['are made once, and see an end', [done], { ...attached, waitMs: 0 }, opened, []],
  ['are made until one succeeds', [down, down, done], { ...attached, waitMs: 0 }, opened, [10, 20]],
  ['are made again for a link', [doneWithout, done], { ...attached, waitMs: 0 }, opened, [3]],
  ['confirm it at once', [doneWithout], { ...attached, waitMs: 0 }, unopened, [3, 3]],
  ['give up soon', [down], { ...attached, waitMs: 0 }, failure(503), [10, 20, 40, 19.6]],
])('polls %s', async ([, responses, fields, end, delays, timeouts]) => {
  const all = { end, delays, timeouts: timeouts ?? expect.anything() };
  expect(await polled(responses, fields)).toEqual(all);
});

it('polls yield what is known before each delay and at the end', async () => {
  const seen = await seenBy(scene([down, active, done]));
  expect(
    seen.map(({ job: known, retryState, waitedMs, delayMs }) => [
      known?.status,
      retryState.lastFailure?.error.what,
      Math.floor(waitedMs),
      delayMs,
    ]),
  ).toEqual([
    ['active', undefined, 0, 10_000],
    ['active', 'failure 503', 10_100, 10_000],
    ['active', undefined, 20_200, 10_000],
    ['completed', undefined, 30_300, undefined],
  ]);
});

it.each([
  ['good', done],
  ['failed', failed()],
])('a run that is cancelled during a %s poll ends at once', async (_name, response) => {
  const given = scene([], attached);
  const { deps, runner } = given;
  const get: JobDeps['jobs']['get'] = async () => {
    runner.stop(new CancelledError('received SIGINT'));
    return response;
  };
  const stopped = { ...deps, jobs: { ...deps.jobs, get } };
  await expect(seenBy({ ...given, deps: stopped })).rejects.toThrow(CancelledError);
  expect(runner.clock.delaysMs).toEqual([]);
});

it('a job is read before a follow-up, and a poll that fails is warned of', async () => {
  const { started, deps, runner } = scene([failed(), down, done], attached);
  await expect(pollUntilRead(started, deps)).resolves.toMatchObject({ job: before });
  expect(runner.clock.delaysMs).toEqual([10_000, 20_000]);
  expect(runner.told).toEqual([
    'warning: A poll failed and will be repeated: failure without a response.',
    'debug: The next poll is in 10 s.',
    'debug: Failure 503: wait.',
    'debug: The next poll is in 20 s.',
  ]);
});

describe('the adaptive interval', () => {
  it.each([
    [5_000, 0, 10_000],
    [180_000, 0, 10_000],
    [360_000, 0, 20_000],
    [360_000, 0.5, 19_000],
    [1_079_100, 0, 59_950],
    [hourMs, 0.99, 60_000],
  ])('after %d ms, with the random number %d, is %d ms', (waitedMs, chance, intervalMs) => {
    expect(adaptiveIntervalMs(waitedMs, chance)).toBeCloseTo(intervalMs, 3);
  });

  it('makes at most 97 polls in the first hour, for any jitter', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.infiniteStream(random), (chances) => {
        let polls = 0;
        for (let waitedMs = 0; waitedMs < hourMs; polls += 1) {
          waitedMs += adaptiveIntervalMs(waitedMs, chances.next().value ?? 0);
        }
        expect(polls).toBeLessThanOrEqual(97);
      }),
    );
  });
});
