import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adaptiveIntervalMs,
  isRead,
  type JobDeps,
  poll,
  readJob,
  resultOfPolls,
} from '../../../../src/agent/job/poll.ts';
import type { Seen } from '../../../../src/agent/job/progress.ts';
import type { StartedJob } from '../../../../src/agent/job/started-job.ts';
import type { JobResponse } from '../../../../src/platform/job.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { type FakeClock, fakeClock, lagMs } from '../../../helpers/fake-clock.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { failed, found, job, jobDeps, pullRequest, refused } from '../../../helpers/jobs.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Scene {
  readonly started: StartedJob;
  readonly deps: JobDeps;
  readonly clock: FakeClock;
  readonly cancel: AbortController;
  /** The time limit of each poll. */
  readonly timeoutsMs: number[];
}

/** Polls an API with these responses in order, the last one repeatedly. */
function scene(
  responses: readonly JobResponse[],
  fields: Partial<StartedJob> & { waitMs?: number } = {},
): Scene {
  const { waitMs = 30 * minuteMs, ...rest } = fields;
  const clock = fakeClock();
  // Not zero, because otherwise a sum instead of a difference would go unnoticed.
  clock.advance(10_000_000);
  const cancel = new AbortController();
  const timeoutsMs: number[] = [];
  const nowMs = clock.nowMs();
  const created = { source: 'created', job: job() } as const;
  const started: StartedJob = {
    ...(rest.source === undefined ? created : { source: rest.source }),
    id: 'job_1',
    sentMs: nowMs,
    sinceMs: nowMs,
    ...rest,
  };
  const queue = [...responses];
  const base = jobDeps({
    runner: { ...fakeRunner(), clock, signal: cancel.signal },
    deadlineMs: nowMs + waitMs,
  });
  const deps: JobDeps = {
    ...base,
    jobs: {
      ...base.jobs,
      async get(_jobId, timeoutMs) {
        timeoutsMs.push(timeoutMs);
        const response = queue.length > 1 ? queue.shift() : queue[0];
        return response ?? failed();
      },
    },
  };
  return { started, deps, clock, cancel, timeoutsMs };
}

/** All that the polls yield. */
async function seenBy(started: StartedJob, deps: JobDeps, isEnough?: typeof isRead) {
  const all: Seen[] = [];
  for await (const seen of poll(started, deps, isEnough)) {
    all.push(seen);
  }
  return all;
}

/** The result of the polls. */
async function pollJob(started: StartedJob, deps: JobDeps) {
  return resultOfPolls(last(await seenBy(started, deps)), 1);
}

/** The result of a step that does not wait. */
async function pollWithoutWaiting(started: StartedJob, deps: JobDeps) {
  return resultOfPolls(last(await seenBy(started, deps, isRead)), 0);
}

function last(seen: readonly Seen[]): Seen {
  const end = seen.at(-1);
  if (end === undefined) {
    throw new Error('The polls yielded nothing.');
  }
  return end;
}

const active = found();
const done = found({ status: 'completed', pullRequest });
const doneWithout = found({ status: 'completed' });

/** The result of a job that ends as `done`. */
const opened = { result: 'pull-request', url: pullRequest.url };

describe('polling a job that this step created', () => {
  it('polls at the adaptive interval until the end', async () => {
    const { started, deps, clock } = scene([active, active, done]);
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
    expect(clock.delaysMs).toEqual([5_000, 5_000, 5_000]);
  });

  it('polls at a fixed interval if one is set', async () => {
    const { started, deps, clock } = scene([active, done]);
    await pollJob(started, { ...deps, pollIntervalMs: 1_500 });
    expect(clock.delaysMs).toEqual([1_500, 1_500]);
  });

  it('gives up at the deadline, with a short time limit for the last poll', async () => {
    const { started, deps, clock, timeoutsMs } = scene([active], { waitMs: 12_000 });
    await expect(pollJob(started, deps)).resolves.toEqual({ result: 'timed-out', job: job() });
    expect(clock.delaysMs).toEqual([5_000, 5_000, expect.closeTo(2_000 - 2 * lagMs)]);
    expect(timeoutsMs).toEqual([expect.closeTo(7_000 - lagMs), 5_000, 5_000]);
  });

  it('accepts an end that the last poll shows', async () => {
    const { started, deps } = scene([active, active, done], { waitMs: 12_000 });
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
  });

  it('says why the last poll failed when the waiting time is over', async () => {
    const { started, deps } = scene([active, failed({ status: 502 })], { waitMs: minuteMs });
    await expect(pollJob(started, deps)).resolves.toMatchObject({
      result: 'timed-out',
      job: { id: 'job_1' },
      lastProblem: 'failure 502',
    });
  });

  it('yields what is known before each delay and at the end', async () => {
    const { started, deps } = scene([failed({ status: 502 }), active, done]);
    const seen = await seenBy(started, deps);
    expect(
      seen.map(({ job: known, retryState, waitedMs, delayMs }) => [
        known?.status,
        retryState.lastFailure?.error.what,
        Math.floor(waitedMs),
        delayMs,
      ]),
    ).toEqual([
      ['active', undefined, 0, 5_000],
      ['active', 'failure 502', 5_000, 5_000],
      ['active', undefined, 10_000, 5_000],
      ['completed', undefined, 15_000, undefined],
    ]);
  });

  it.each([
    ['a good', done],
    ['a failed', failed()],
  ])('ends at once when the run is cancelled during %s poll', async (_name, response) => {
    const { started, deps, cancel, clock } = scene([]);
    const get: JobDeps['jobs']['get'] = async () => {
      cancel.abort(new CancelledError('received SIGINT'));
      return response;
    };
    const jobs = { ...deps.jobs, get };
    await expect(pollJob(started, { ...deps, jobs })).rejects.toThrow(CancelledError);
    expect(clock.delaysMs).toEqual([5_000]);
  });
});

describe('a completed job without a pull request', () => {
  it('is polled twice more within 10 s', async () => {
    const { started, deps, clock } = scene([doneWithout]);
    await expect(pollJob(started, deps)).resolves.toEqual({
      result: 'no-pull-request',
      job: job({ status: 'completed' }),
      mayNotHaveBegun: false,
    });
    expect(clock.delaysMs).toEqual([5_000, 3_000, 3_000]);
  });

  it('is polled sooner if the fixed interval is shorter', async () => {
    const { started, deps, clock } = scene([doneWithout]);
    await pollJob(started, { ...deps, pollIntervalMs: 1_000 });
    expect(clock.delaysMs).toEqual([1_000, 1_000, 1_000]);
  });

  it.each(['archived', 'failed'] as const)('needs no confirming when it is %s', async (status) => {
    const { started, deps, timeoutsMs } = scene([found({ status })]);
    await expect(pollJob(started, deps)).resolves.toEqual({ result: status, job: job({ status }) });
    expect(timeoutsMs).toHaveLength(1);
  });

  it('is confirmed even when the waiting time is over', async () => {
    const { started, deps, clock } = scene([doneWithout, done], { waitMs: 1_000 });
    await expect(pollJob(started, deps)).resolves.toMatchObject({ job: { pullRequest } });
    expect(clock.delaysMs).toEqual([1_000, 3_000]);
  });

  it('stays completed when the polls that confirm it fail', async () => {
    const { started, deps, timeoutsMs } = scene([doneWithout, failed()]);
    await expect(pollJob(started, deps)).resolves.toMatchObject({
      result: 'no-pull-request',
      job: { status: 'completed' },
    });
    expect(timeoutsMs).toEqual([30_000, 2_000, 2_000]);
  });

  it('is polled further when it becomes active', async () => {
    const { started, deps } = scene([doneWithout, active, doneWithout, doneWithout, done]);
    await expect(pollJob(started, deps)).resolves.toMatchObject({ job: { pullRequest } });
  });
});

/** A proxy, or the API while it is deployed. */
const notFound = failed({ status: 404 });

describe('failed polls', () => {
  it('stretch the interval and do not end the wait', async () => {
    const { started, deps, clock } = scene([...Array(6).fill(failed()), done]);
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
    expect(clock.delaysMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('are forgotten after a successful poll', async () => {
    const limited = failed({ status: 429, retryAfterMs: 90_000 });
    const { started, deps, clock } = scene([limited, failed(), failed(), active]);
    const result = await pollJob(started, { ...deps, pollIntervalMs: 5_000 });
    expect(result).toEqual({ result: 'timed-out', job: job() });
    expect(clock.delaysMs.slice(0, 6)).toEqual([5_000, 90_000, 10_000, 20_000, 5_000, 5_000]);
  });

  it('wait as long as Retry-After says, but not past the deadline', async () => {
    const later = failed({ status: 429, retryAfterMs: 90_000 });
    const { started, deps, clock } = scene([later], { waitMs: 120_000 });
    await pollJob(started, deps);
    expect(clock.delaysMs).toEqual([5_000, 90_000, expect.closeTo(25_000 - 2 * lagMs)]);
  });

  it.each([302, 400, 401, 403, 405])(
    "%d at the first poll of another step's job ends the step",
    async (status) => {
      const { started, deps, timeoutsMs } = scene([failed({ status })], { source: 'attached' });
      await expect(pollJob(started, deps)).rejects.toThrow(`${status}`);
      expect(timeoutsMs).toHaveLength(1);
    },
  );

  it.each([302, 401, 403, 410])(
    '%d after a successful poll must occur three times in a row',
    async (status) => {
      const refusal = refused(status);
      const twice = scene([active, refusal, refusal, active, refusal, refusal, done]);
      await expect(pollJob(twice.started, twice.deps)).resolves.toMatchObject(opened);
      const between = scene([active, refusal, refusal, failed(), refusal, done]);
      await expect(pollJob(between.started, between.deps)).resolves.toMatchObject(opened);
      const thrice = scene([active, refusal, refusal, refusal, done]);
      await expect(pollJob(thrice.started, thrice.deps)).rejects.toThrow(`${status}`);
    },
  );

  it('a created job may be unknown for a minute', async () => {
    const { started, deps, clock } = scene([refused(404)]);
    await expect(pollJob(started, deps)).rejects.toThrow('404');
    expect(clock.delaysMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000]);
  });

  it.each([
    ['at the first poll, if the API says so', refused(404), []],
    ['after three polls, if something else may have responded', notFound, [5_000, 10_000]],
  ])('a job of another step is unknown %s', async (_name, response, delaysMs) => {
    const { started, deps, clock } = scene([response], { source: 'attached' });
    await expect(pollJob(started, deps)).rejects.toThrow('404');
    expect(clock.delaysMs).toEqual(delaysMs);
  });

  it.each([
    ['another failure', failed()],
    ['a good poll', active],
  ])('404s with %s between them do not end the step', async (_name, between) => {
    const { started, deps } = scene([notFound, notFound, between, notFound, notFound, done], {
      source: 'attached',
    });
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
  });

  it('without a single response end with the last failure', async () => {
    const { started, deps } = scene([failed({ status: 503 })], { source: 'attached' });
    await expect(pollJob(started, deps)).rejects.toThrow('503');
  });
});

describe('after a follow-up', () => {
  const before = job({ status: 'completed', pullRequest });
  const followedUp = { source: 'followed-up', job: before, before } as const;

  it('the earlier state is ignored until the job was active', async () => {
    const changed = { ...pullRequest, url: 'https://github.com/acme/docs/pull/13' };
    const { started, deps } = scene(
      [done, done, active, found({ status: 'completed', pullRequest: changed })],
      followedUp,
    );
    await expect(pollJob(started, deps)).resolves.toMatchObject({
      result: 'pull-request',
      job: { pullRequest: changed },
    });
  });

  it('the same end is accepted once the job was active', async () => {
    const { started, deps, clock } = scene([active, done], followedUp);
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
    expect(clock.delaysMs).toHaveLength(2);
  });

  it('the earlier state can come after a response to the follow-up that was active', async () => {
    const sent = { ...followedUp, job: job() };
    const { started, deps, clock } = scene([done, found({ status: 'failed', pullRequest })], sent);
    await expect(pollJob(started, deps)).resolves.toMatchObject({ result: 'failed' });
    expect(clock.delaysMs).toHaveLength(2);
  });

  const other = { ...pullRequest, url: 'https://a.b/c' };

  it.each([
    ['status', found({ status: 'failed', pullRequest }), { result: 'failed' }],
    ['link', found({ status: 'completed', pullRequest: other }), { url: other.url }],
  ])('an end with another %s is accepted at once', async (_name, response, result) => {
    const { started, deps, clock } = scene([response], followedUp);
    await expect(pollJob(started, deps)).resolves.toMatchObject(result);
    expect(clock.delaysMs).toHaveLength(1);
  });

  it('the earlier state is accepted after 120 s', async () => {
    const { started, deps, clock } = scene([done], followedUp);
    const sinceMs = clock.nowMs();
    await expect(pollJob(started, deps)).resolves.toMatchObject(opened);
    expect(clock.nowMs() - sinceMs).toBeGreaterThanOrEqual(120_000);
    expect(clock.nowMs() - sinceMs).toBeLessThan(140_000);
  });

  it.each([
    ['the state from before may', true, [doneWithout]],
    ['the same end once the job was active does not', false, [active, doneWithout]],
  ])('%s hide a follow-up that has not started: %s', async (_name, mayNotHaveBegun, responses) => {
    const bare = job({ status: 'completed' });
    const { started, deps } = scene(responses, { source: 'followed-up', job: bare, before: bare });
    await expect(pollJob(started, deps)).resolves.toEqual({
      result: 'no-pull-request',
      job: bare,
      mayNotHaveBegun,
    });
  });
});

describe('a refusal after a follow-up', () => {
  it('must occur three times in a row, because the job was read before', async () => {
    const before = job({ status: 'completed', pullRequest });
    const fields = { source: 'followed-up', job: job(), before } as const;
    const twice = scene([failed({ status: 403 }), refused(403), active, done], fields);
    await expect(pollJob(twice.started, twice.deps)).resolves.toMatchObject(opened);
    const thrice = scene([refused(403), refused(403), refused(403), done], fields);
    await expect(pollJob(thrice.started, thrice.deps)).rejects.toThrow('403');
  });
});

describe('without waiting', () => {
  it('leaves a job that it started to run, and sends no poll', async () => {
    const { started, deps, timeoutsMs } = scene([done], { waitMs: 0 });
    await expect(pollWithoutWaiting(started, deps)).resolves.toEqual({
      result: 'running',
      job: job(),
    });
    expect(timeoutsMs).toEqual([]);
  });

  it.each([
    ['active', active, { result: 'running' }],
    ['completed', done, opened],
    ['completed', doneWithout, { result: 'no-pull-request', mayNotHaveBegun: false }],
  ])('polls any other job once, and reports its state: %s', async (status, response, result) => {
    const { started, deps, timeoutsMs } = scene([response], {
      source: 'attached',
      waitMs: 0,
    });
    const seen = last(await seenBy(started, deps, isRead));
    expect(seen.job?.status).toBe(status);
    expect(resultOfPolls(seen, 0)).toMatchObject(result);
    expect(timeoutsMs).toHaveLength(1);
  });

  it('says why the only poll failed', async () => {
    const { started, deps, timeoutsMs } = scene([refused(404)], { source: 'attached', waitMs: 0 });
    await expect(pollWithoutWaiting(started, deps)).rejects.toThrow('404');
    expect(timeoutsMs).toHaveLength(1);
  });
});

describe('reading a job before a follow-up', () => {
  it('retries failed polls', async () => {
    const { started, deps, clock } = scene([failed(), failed({ status: 502 }), done], {
      source: 'attached',
    });
    await expect(readJob(started, deps)).resolves.toMatchObject({ status: 'completed' });
    expect(clock.delaysMs).toEqual([5_000, 10_000]);
  });

  it('ends with a permanent failure', async () => {
    const { started, deps } = scene([refused(401)], { source: 'attached' });
    await expect(readJob(started, deps)).rejects.toThrow('401');
  });

  it('ends when the waiting time is over, with the last failure', async () => {
    const { started, deps, clock } = scene([failed({ status: 503 })], {
      source: 'attached',
      waitMs: 6_000,
    });
    await expect(readJob(started, deps)).rejects.toThrow('503');
    expect(clock.delaysMs).toEqual([5_000, expect.closeTo(1_000 - lagMs)]);
  });

  it.each([['a good'], ['a failed']])(
    'ends when the run is cancelled during %s poll',
    async (how) => {
      const { started, deps, cancel } = scene([done], { source: 'attached' });
      const get: JobDeps['jobs']['get'] = async () => {
        cancel.abort(new CancelledError('received SIGINT'));
        return how === 'a good' ? done : failed();
      };
      const jobs = { ...deps.jobs, get };
      await expect(readJob(started, { ...deps, jobs })).rejects.toThrow(CancelledError);
    },
  );
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the adaptive interval', () => {
  it.each([
    [0, 0, 5_000],
    [50_000, 0, 5_000],
    [100_000, 0, 10_000],
    [100_000, 0.5, 9_500],
    [600_000, 0, 60_000],
    [hourMs, 0.99, 60_000],
  ])('after %d ms, with the random number %d, is %d ms', (waitedMs, chance, intervalMs) => {
    expect(adaptiveIntervalMs(waitedMs, chance)).toBeCloseTo(intervalMs, 3);
  });

  it('shows an end at most a tenth of the run time late, 5 s for short jobs, 60 s for long ones', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5 * hourMs }), random, (waitedMs, chance) => {
        const lateMs = adaptiveIntervalMs(waitedMs, chance);
        expect(lateMs).toBeLessThanOrEqual(Math.min(Math.max(waitedMs * 0.1, 5_000), 60_000));
      }),
    );
  });

  it('makes at most 95 polls in the first hour, for any jitter', () => {
    fc.assert(
      fc.property(fc.infiniteStream(random), (chances) => {
        let polls = 0;
        for (let waitedMs = 0; waitedMs < hourMs; polls += 1) {
          waitedMs += adaptiveIntervalMs(waitedMs, chances.next().value ?? 0);
        }
        expect(polls).toBeLessThanOrEqual(95);
      }),
    );
  });
});
