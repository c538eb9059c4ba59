import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../../src/agent/progress.ts';
import { readOnce, type WaitWorld, waitForEnd, withoutWaiting } from '../../../src/agent/wait.ts';
import type { JobResponse } from '../../../src/platform/jobs.ts';
import { CancelledError } from '../../../src/runner/errors.ts';
import { type FakeClock, fakeClock, lagMs } from '../../helpers/fake-clock.ts';
import { failed, job, pullRequest, refused, saw } from '../../helpers/jobs.ts';

const minuteMs = 60_000;

interface Scene {
  readonly waiting: Waiting;
  readonly world: WaitWorld;
  readonly clock: FakeClock;
  readonly cancel: AbortController;
  /** What the watcher was told, and each look's time limit. */
  readonly told: string[];
  readonly timeoutsMs: number[];
}

/** Waits against answers in a row; the last one is given for ever. */
function scene(
  answers: readonly JobResponse[],
  fields: Partial<Waiting> & { waitMs?: number } = {},
): Scene {
  const { waitMs = 30 * minuteMs, ...rest } = fields;
  const clock = fakeClock();
  // A monotonic clock can begin anywhere: a sum taken for a difference must show.
  clock.advance(10_000_000);
  const cancel = new AbortController();
  const told: string[] = [];
  const timeoutsMs: number[] = [];
  const nowMs = clock.nowMs();
  const created = { origin: 'create', job: job() } as const;
  const waiting: Waiting = {
    ...(rest.origin === undefined ? created : { origin: rest.origin }),
    jobId: 'job_1',
    sinceMs: nowMs,
    deadlineMs: nowMs + waitMs,
    ...rest,
  };
  const queue = [...answers];
  const world: WaitWorld = {
    clock,
    cancelled: cancel.signal,
    pollIntervalMs: undefined,
    async look(_jobId, timeoutMs) {
      timeoutsMs.push(timeoutMs);
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      return answer ?? failed();
    },
    watcher: {
      seen: (seen, waitedMs) => told.push(`${seen.status} after ${Math.floor(waitedMs)} ms`),
      pausing: (_known, waitedMs, pauseMs) =>
        told.push(`pause of ${pauseMs} ms after ${Math.floor(waitedMs)} ms`),
      troubled: (error) => told.push(error.what),
    },
  };
  return { waiting, world, clock, cancel, told, timeoutsMs };
}

const active = saw();
const done = saw({ status: 'completed', pullRequest });
const doneWithout = saw({ status: 'completed' });

describe('waiting for a job that this step created', () => {
  it('looks on the adaptive schedule until the end', async () => {
    const { waiting, world, clock } = scene([active, active, done]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
    expect(clock.pausesMs).toEqual([5_000, 5_000, 5_000]);
  });

  it('looks in a fixed interval where one is given', async () => {
    const { waiting, world, clock } = scene([active, done]);
    await waitForEnd(waiting, { ...world, pollIntervalMs: 1_500 });
    expect(clock.pausesMs).toEqual([1_500, 1_500]);
  });

  it('gives up at the deadline, with a last look that must end soon', async () => {
    const { waiting, world, clock, timeoutsMs } = scene([active], { waitMs: 12_000 });
    await expect(waitForEnd(waiting, world)).resolves.toEqual({ kind: 'timed-out', job: job() });
    expect(clock.pausesMs).toEqual([5_000, 5_000, expect.closeTo(2_000 - 2 * lagMs)]);
    expect(timeoutsMs).toEqual([expect.closeTo(7_000 - lagMs), 5_000, 5_000]);
  });

  it('takes an end that the last look shows', async () => {
    const { waiting, world } = scene([active, active, done], { waitMs: 12_000 });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
  });

  it('says what the last look failed of when the waiting time is over', async () => {
    const { waiting, world } = scene([active, failed({ status: 502 })], { waitMs: minuteMs });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({
      kind: 'timed-out',
      job: { id: 'job_1' },
      lastError: { what: 'failure 502' },
    });
  });

  it('tells what the looks show, and how long it has waited', async () => {
    const { waiting, world, told } = scene([failed({ status: 502 }), active, done]);
    await waitForEnd(waiting, world);
    expect(told).toEqual([
      'pause of 5000 ms after 0 ms',
      'failure 502',
      'pause of 5000 ms after 5000 ms',
      'active after 10000 ms',
      'pause of 5000 ms after 10000 ms',
      'completed after 15000 ms',
    ]);
  });

  it.each([
    ['a good', done],
    ['a failed', failed()],
  ])('ends at once when the run is cancelled during %s look', async (_name, answer) => {
    const { waiting, world, cancel, told } = scene([]);
    const look: WaitWorld['look'] = async () => {
      cancel.abort(new CancelledError('received SIGINT'));
      return answer;
    };
    await expect(waitForEnd(waiting, { ...world, look })).rejects.toThrow(CancelledError);
    expect(told).toEqual(['pause of 5000 ms after 0 ms']);
  });
});

describe('a completed job without a pull request', () => {
  it('is looked at twice more within 10 s', async () => {
    const { waiting, world, clock } = scene([doneWithout]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
    expect(clock.pausesMs).toEqual([5_000, 3_000, 3_000]);
  });

  it('is looked at sooner where the fixed interval is shorter', async () => {
    const { waiting, world, clock } = scene([doneWithout]);
    await waitForEnd(waiting, { ...world, pollIntervalMs: 1_000 });
    expect(clock.pausesMs).toEqual([1_000, 1_000, 1_000]);
  });

  it.each(['archived', 'failed'] as const)('needs no confirming when it is %s', async (status) => {
    const { waiting, world, timeoutsMs } = scene([saw({ status })]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ job: { status } });
    expect(timeoutsMs).toHaveLength(1);
  });

  it('is confirmed even when the waiting time is over', async () => {
    const { waiting, world, clock } = scene([doneWithout, done], { waitMs: 1_000 });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ job: { pullRequest } });
    expect(clock.pausesMs).toEqual([1_000, 3_000]);
  });

  it('stays completed when the looks that confirm it fail', async () => {
    const { waiting, world, timeoutsMs } = scene([doneWithout, failed()]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({
      kind: 'ended',
      job: { status: 'completed' },
    });
    expect(timeoutsMs).toEqual([30_000, 2_000, 2_000]);
  });

  it('is waited for again when it turns active', async () => {
    const { waiting, world } = scene([doneWithout, active, doneWithout, doneWithout, done]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ job: { pullRequest } });
  });
});

describe('failed looks', () => {
  it('stretch the interval and do not end the wait', async () => {
    const { waiting, world, clock } = scene([...Array(6).fill(failed()), done]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
    expect(clock.pausesMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('are forgotten after a good look', async () => {
    const limited = failed({ status: 429, retryAfterMs: 90_000 });
    const { waiting, world, clock } = scene([limited, failed(), failed(), active]);
    const ending = await waitForEnd(waiting, { ...world, pollIntervalMs: 5_000 });
    expect(ending).toEqual({ kind: 'timed-out', job: job() });
    expect(clock.pausesMs.slice(0, 6)).toEqual([5_000, 90_000, 10_000, 20_000, 5_000, 5_000]);
  });

  it('wait as long as Retry-After says, but not past the deadline', async () => {
    const later = failed({ status: 429, retryAfterMs: 90_000 });
    const { waiting, world, clock } = scene([later], { waitMs: 120_000 });
    await waitForEnd(waiting, world);
    expect(clock.pausesMs).toEqual([5_000, 90_000, expect.closeTo(25_000 - 2 * lagMs)]);
  });

  it.each([400, 401, 403])('%d at the first look ends the step', async (status) => {
    const { waiting, world, timeoutsMs } = scene([failed({ status })]);
    await expect(waitForEnd(waiting, world)).rejects.toThrow(`${status}`);
    expect(timeoutsMs).toHaveLength(1);
  });

  it.each([400, 401, 403])('%d after a good look must come twice in a row', async (status) => {
    const once = scene([active, refused(status), active, refused(status), done]);
    await expect(waitForEnd(once.waiting, once.world)).resolves.toMatchObject({ kind: 'ended' });
    const between = scene([active, refused(status), failed(), refused(status), done]);
    await expect(waitForEnd(between.waiting, between.world)).resolves.toMatchObject({
      kind: 'ended',
    });
    const twice = scene([active, refused(status), refused(status), done]);
    await expect(waitForEnd(twice.waiting, twice.world)).rejects.toThrow(`${status}`);
  });

  it("a proxy's refusals after a good look never end the step", async () => {
    const html = failed({ status: 403 });
    const { waiting, world } = scene([active, html, html, html, done]);
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
  });

  it('a created job may be unknown for a minute', async () => {
    const { waiting, world, clock } = scene([refused(404)]);
    await expect(waitForEnd(waiting, world)).rejects.toThrow('404');
    expect(clock.pausesMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000]);
  });

  it('an attached job is unknown after three looks', async () => {
    const { waiting, world, clock } = scene([refused(404)], { origin: 'attach' });
    await expect(waitForEnd(waiting, world)).rejects.toThrow('404');
    expect(clock.pausesMs).toEqual([5_000, 10_000]);
  });

  it.each([
    ['another failure', failed()],
    ['a good look', active],
  ])('404s with %s between them do not end the step', async (_name, between) => {
    const { waiting, world } = scene(
      [refused(404), refused(404), between, refused(404), refused(404), done],
      { origin: 'attach' },
    );
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ kind: 'ended' });
  });

  it('a job that was never seen ends with what the last look failed of', async () => {
    const { waiting, world } = scene([failed({ status: 503 })], { origin: 'attach' });
    await expect(waitForEnd(waiting, world)).rejects.toThrow('503');
  });
});

describe('after a follow-up', () => {
  const before = job({ status: 'completed', pullRequest });

  it('the state from before is not believed until the job was active', async () => {
    const changed = { ...pullRequest, url: 'https://github.com/acme/docs/pull/13' };
    const { waiting, world } = scene(
      [done, done, active, saw({ status: 'completed', pullRequest: changed })],
      { origin: 'follow-up', job: before, before },
    );
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({
      job: { pullRequest: changed },
      mayNotHaveBegun: false,
    });
  });

  it('the same end is believed once the job was active', async () => {
    const { waiting, world, clock } = scene([active, done], {
      origin: 'follow-up',
      job: before,
      before,
    });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ mayNotHaveBegun: false });
    expect(clock.pausesMs).toHaveLength(2);
  });

  it('the same end is believed where the answer to the follow-up was active', async () => {
    const { waiting, world, clock } = scene([done], { origin: 'follow-up', job: job(), before });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ mayNotHaveBegun: false });
    expect(clock.pausesMs).toHaveLength(1);
  });

  it.each([
    ['status', saw({ status: 'failed', pullRequest })],
    ['link', saw({ status: 'completed', pullRequest: { ...pullRequest, url: 'https://a.b/c' } })],
  ])('an end with another %s is believed at once', async (_name, answer) => {
    const { waiting, world, clock } = scene([answer], { origin: 'follow-up', job: before, before });
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ mayNotHaveBegun: false });
    expect(clock.pausesMs).toHaveLength(1);
  });

  it('the state from before is believed after 120 s, with doubt', async () => {
    const { waiting, world, clock } = scene([done], { origin: 'follow-up', job: before, before });
    const sinceMs = clock.nowMs();
    await expect(waitForEnd(waiting, world)).resolves.toMatchObject({ mayNotHaveBegun: true });
    expect(clock.nowMs() - sinceMs).toBeGreaterThanOrEqual(120_000);
    expect(clock.nowMs() - sinceMs).toBeLessThan(140_000);
  });
});

describe('a refusal after a follow-up', () => {
  it('must come twice in a row, for the job was read before', async () => {
    const before = job({ status: 'completed', pullRequest });
    const fields = { origin: 'follow-up', job: job(), before } as const;
    const once = scene([failed({ status: 403 }), refused(403), active, done], fields);
    await expect(waitForEnd(once.waiting, once.world)).resolves.toMatchObject({ kind: 'ended' });
    const twice = scene([refused(403), refused(403), done], fields);
    await expect(waitForEnd(twice.waiting, twice.world)).rejects.toThrow('403');
  });
});

describe('without waiting', () => {
  it('leaves a job that it started to run, and does not look', async () => {
    const { waiting, world, timeoutsMs } = scene([done], { waitMs: 0 });
    await expect(withoutWaiting(waiting, world)).resolves.toEqual({ kind: 'running', job: job() });
    expect(timeoutsMs).toEqual([]);
  });

  it.each([
    ['active', active, { kind: 'running' }],
    ['completed', done, { kind: 'ended', mayNotHaveBegun: false }],
    ['completed', doneWithout, { kind: 'ended', mayNotHaveBegun: false }],
  ])('looks once at another job, and tells what it saw: %s', async (status, answer, ending) => {
    const { waiting, world, told, timeoutsMs } = scene([answer], { origin: 'attach', waitMs: 0 });
    await expect(withoutWaiting(waiting, world)).resolves.toMatchObject(ending);
    expect(told).toEqual([`${status} after 0 ms`]);
    expect(timeoutsMs).toHaveLength(1);
  });

  it('says what the one look failed of', async () => {
    const { waiting, world, timeoutsMs } = scene([refused(404)], { origin: 'attach', waitMs: 0 });
    await expect(withoutWaiting(waiting, world)).rejects.toThrow('404');
    expect(timeoutsMs).toHaveLength(1);
  });
});

describe('reading a job before a follow-up', () => {
  it('repeats failed looks', async () => {
    const { waiting, world, told } = scene([failed(), failed({ status: 502 }), done], {
      origin: 'attach',
    });
    await expect(readOnce(waiting, world)).resolves.toMatchObject({ status: 'completed' });
    expect(told).toEqual([
      'failure without an answer',
      'pause of 5000 ms after 0 ms',
      'failure 502',
      'pause of 10000 ms after 5000 ms',
    ]);
  });

  it('ends with a refusal that no waiting mends', async () => {
    const { waiting, world } = scene([refused(401)], { origin: 'attach' });
    await expect(readOnce(waiting, world)).rejects.toThrow('401');
  });

  it('ends when the waiting time is over, with what the last look failed of', async () => {
    const { waiting, world, clock } = scene([failed({ status: 503 })], {
      origin: 'attach',
      waitMs: 6_000,
    });
    await expect(readOnce(waiting, world)).rejects.toThrow('503');
    expect(clock.pausesMs).toEqual([5_000, expect.closeTo(1_000 - lagMs)]);
  });

  it.each([['a good'], ['a failed']])(
    'ends when the run is cancelled during %s look',
    async (how) => {
      const { waiting, world, cancel } = scene([done], { origin: 'attach' });
      const look: WaitWorld['look'] = async () => {
        cancel.abort(new CancelledError('received SIGINT'));
        return how === 'a good' ? done : failed();
      };
      await expect(readOnce(waiting, { ...world, look })).rejects.toThrow(CancelledError);
    },
  );
});
