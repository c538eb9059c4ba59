import { describe, expect, it } from 'vitest';
import { SendingError, type StartWorld, start, type Work } from '../../../src/agent/start.ts';
import { RateLimitedError } from '../../../src/platform/errors.ts';
import type { JobResponse } from '../../../src/platform/jobs.ts';
import { CancelledError } from '../../../src/runner/errors.ts';
import { type FakeClock, fakeClock, lagMs } from '../../helpers/fake-clock.ts';
import { failed, job, pullRequest, refused, saw } from '../../helpers/jobs.ts';

const halfHourMs = 30 * 60_000;
const create: Work = { kind: 'create', prompt: 'Do it' };

interface Scene {
  readonly world: StartWorld;
  readonly clock: FakeClock;
  readonly sent: string[];
  readonly cancel: AbortController;
}

/** A service that gives these answers to POSTs, in a row; the last one for ever. */
function scene(...answers: readonly JobResponse[]): Scene {
  const clock = fakeClock();
  const cancel = new AbortController();
  const sent: string[] = [];
  const queue = [...answers];
  const answer = async (request: string): Promise<JobResponse> => {
    sent.push(request);
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? failed();
  };
  const world: StartWorld = {
    jobs: {
      create: (prompt) => answer(`create ${prompt}`),
      followUp: (jobId, prompt) => answer(`follow up ${jobId} ${prompt}`),
    },
    readBefore: async () => job({ status: 'completed', pullRequest }),
    clock,
    cancelled: cancel.signal,
    onRetry: () => undefined,
  };
  return { world, clock, sent, cancel };
}

const neverLeft = failed({ didNothing: true });

function limited(retryAfterMs?: number): JobResponse {
  return failed({
    status: 429,
    didNothing: true,
    error: new RateLimitedError('the service answered 429', 'wait'),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

describe('the three ways in', () => {
  it('creates a job', async () => {
    const { world, sent, clock } = scene(saw());
    const nowMs = clock.nowMs();
    await expect(start(create, halfHourMs, world)).resolves.toEqual({
      origin: 'create',
      jobId: 'job_1',
      job: job(),
      sinceMs: nowMs,
      deadlineMs: nowMs + halfHourMs,
    });
    expect(sent).toEqual(['create Do it']);
  });

  it('reads the job, then sends a follow-up', async () => {
    const { world, sent } = scene(saw());
    const work: Work = { kind: 'follow-up', jobId: 'job_1', prompt: 'More' };
    await expect(start(work, halfHourMs, world)).resolves.toMatchObject({
      origin: 'follow-up',
      before: { status: 'completed' },
      job: { status: 'active' },
    });
    expect(sent).toEqual(['follow up job_1 More']);
  });

  it('attaches without sending anything', async () => {
    const { world, sent } = scene(saw());
    await expect(
      start({ kind: 'attach', jobId: 'job_1' }, halfHourMs, world),
    ).resolves.toMatchObject({ origin: 'attach', jobId: 'job_1' });
    expect(sent).toEqual([]);
  });
});

describe('a request that provably did nothing', () => {
  it('is sent again, with growing pauses', async () => {
    const { world, sent, clock } = scene(neverLeft, neverLeft, saw());
    await start(create, halfHourMs, world);
    expect(sent).toHaveLength(3);
    expect(clock.pausesMs).toEqual([2_000, 4_000]);
  });

  it('and time is counted from the one that was taken, but the waiting from the first', async () => {
    const { world, clock } = scene(neverLeft, saw());
    const nowMs = clock.nowMs();
    await expect(start(create, halfHourMs, world)).resolves.toMatchObject({
      sinceMs: expect.closeTo(nowMs + 2_000 + lagMs),
      deadlineMs: nowMs + halfHourMs,
    });
  });

  it('is given up after a minute when the service cannot be reached', async () => {
    const { world, clock } = scene(neverLeft);
    await expect(start(create, halfHourMs, world)).rejects.toThrow('Failure without an answer');
    expect(clock.pausesMs).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  it('is given up when the waiting time is over', async () => {
    const { world, clock } = scene(neverLeft);
    await expect(start(create, 3_000, world)).rejects.toThrow('Failure without an answer');
    expect(clock.pausesMs).toEqual([2_000]);
  });

  it('waits out a rate limit for as long as it may wait', async () => {
    const { world, clock } = scene(limited(600_000), limited(), saw());
    await start(create, halfHourMs, world);
    expect(clock.pausesMs).toEqual([600_000, 4_000]);
  });

  it('is not sent faster because Retry-After is short or past', async () => {
    const { world, clock } = scene(limited(0), limited(3_000), limited(3_000), saw());
    await start(create, halfHourMs, world);
    expect(clock.pausesMs).toEqual([2_000, 4_000, 8_000]);
  });

  it.each([
    [limited(0), 3_000],
    [limited(), 0],
    [limited(0), 0],
  ])(
    'that asked for no longer wait than there is is told of without a date',
    async (answer, waitMs) => {
      const { world } = scene(answer);
      await expect(start(create, waitMs, world)).rejects.not.toThrow('asks to wait');
    },
  );

  it('ends at once when the service asks for more patience than there is, and says until when', async () => {
    const { world, sent, clock } = scene(limited(3_600_000));
    await expect(start(create, halfHourMs, world)).rejects.toThrow(
      'The service answered 429 and asks to wait until 2026-01-05 09:00 UTC (1 h): that is longer than wait-minutes allows, so re-run the workflow after that.',
    );
    expect(sent).toHaveLength(1);
    expect(clock.pausesMs).toEqual([]);
  });

  it('says no date for a patience that no calendar holds', async () => {
    const { world } = scene(limited(999_999_999_999_000));
    await expect(start(create, halfHourMs, world)).rejects.toThrow(
      'asks to wait for more than 30 days: ',
    );
  });

  it('is not sent again once the run is cancelled', async () => {
    const { world, sent, cancel } = scene(neverLeft, saw());
    cancel.abort(new CancelledError('received SIGINT'));
    await expect(start(create, halfHourMs, world)).rejects.toThrow(CancelledError);
    expect(sent).toHaveLength(1);
  });
});

describe('a request that may have arrived', () => {
  it.each([
    ['no answer', failed()],
    ['408', failed({ status: 408 })],
    ['500', failed({ status: 500, isFromApi: true })],
    ['503 with Retry-After', failed({ status: 503, retryAfterMs: 1_000 })],
  ])('%s: is never sent again', async (_name, answer) => {
    const { world, sent } = scene(answer, saw());
    await expect(start(create, halfHourMs, world)).rejects.toMatchObject({
      reason: 'job-may-exist',
      message: expect.stringContaining('a job may exist'),
    });
    expect(sent).toHaveLength(1);
  });

  it('names the follow-up where it was one', async () => {
    const { world } = scene(failed());
    const work: Work = { kind: 'follow-up', jobId: 'job_1', prompt: 'More' };
    await expect(start(work, halfHourMs, world)).rejects.toThrow(
      'the follow-up may have been taken',
    );
  });
});

describe('a request that this step broke off itself', () => {
  it('by a mistake: may have arrived', async () => {
    const { world } = scene();
    const mistake = new TypeError('no such thing');
    const broken = async () => {
      throw mistake;
    };
    const started = start(create, halfHourMs, {
      ...world,
      jobs: { ...world.jobs, create: broken },
    });
    await expect(started).rejects.toThrow(SendingError);
    await expect(started).rejects.toMatchObject({ cause: mistake });
  });

  it('because the run was cancelled: may have arrived, unless it never left', async () => {
    const cancelled = new CancelledError('received SIGINT');
    for (const [answer, error] of [
      [failed(), SendingError],
      [neverLeft, CancelledError],
    ] as const) {
      const { world, cancel, sent } = scene(answer, saw());
      cancel.abort(cancelled);
      await expect(start(create, halfHourMs, world)).rejects.toThrow(error);
      expect(sent).toHaveLength(1);
    }
  });
});

describe('a refusal', () => {
  it.each([400, 401, 403, 404, 422])('%d: is handed on, without doubt', async (status) => {
    const { world, sent } = scene(refused(status), saw());
    const error = await start(create, halfHourMs, world).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(`${status}`);
    expect(String(error)).not.toContain('may exist');
    expect(sent).toHaveLength(1);
  });
});
