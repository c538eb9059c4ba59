import { describe, expect, it } from 'vitest';
import type { JobDeps } from '../../../../src/agent/job/poll.ts';
import { readBefore, type Send, start } from '../../../../src/agent/job/start.ts';
import { SendingError } from '../../../../src/agent/result.ts';
import type { JobResponse } from '../../../../src/platform/job.ts';
import { ActionError, CancelledError } from '../../../../src/text/error.ts';
import { type FakeClock, fakeClock, lagMs } from '../../../helpers/fake-clock.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { failed, found, job, jobDeps, pullRequest, refused } from '../../../helpers/jobs.ts';
import { preparedPrompt } from '../../../helpers/prompts.ts';

const startMs = fakeClock().nowMs();
const create: Send = { kind: 'new', prompt: preparedPrompt({ text: 'Do it' }) };
const followUp: Send = {
  kind: 'follow-up',
  prompt: preparedPrompt({ text: 'More' }),
  before: job({ status: 'completed', pullRequest }),
};

interface Scene {
  readonly deps: JobDeps;
  readonly clock: FakeClock;
  /** Requests, in order. */
  readonly sent: string[];
  readonly cancel: AbortController;
  /** What the log says. */
  readonly told: readonly string[];
}

/** An API with these responses to POSTs in order, the last one repeatedly. */
function sceneAt(random: number, ...responses: readonly JobResponse[]): Scene {
  const clock = fakeClock(random);
  const cancel = new AbortController();
  const sent: string[] = [];
  const queue = [...responses];
  const respond = async (request: string): Promise<JobResponse> => {
    sent.push(request);
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? failed();
  };
  const jobs: JobDeps['jobs'] = {
    create: (prompt) => respond(`create ${prompt}`),
    followUp: (jobId, prompt) => respond(`follow up ${jobId} ${prompt}`),
    get: (id) => respond(`read ${id}`),
  };
  const runner = { ...fakeRunner(), clock, signal: cancel.signal };
  const deps = jobDeps({ runner, jobs });
  return { deps, clock, sent, cancel, told: runner.told };
}

const scene = (...responses: readonly JobResponse[]) => sceneAt(0, ...responses);

const neverLeft = failed({ didNothing: true });

function limited(retryAfterMs?: number): JobResponse {
  return failed({
    status: 429,
    didNothing: true,
    error: new ActionError('rate-limited', 'the API responded with 429', 'wait'),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

describe('a job', () => {
  it('is created', async () => {
    const { deps, sent, clock } = scene(found());
    const nowMs = clock.nowMs();
    await expect(start(create, deps)).resolves.toEqual({
      source: 'created',
      id: 'job_1',
      job: job(),
      sentMs: nowMs,
      sinceMs: nowMs,
    });
    expect(sent).toEqual(['create Do it']);
  });

  it('gets a follow-up', async () => {
    const { deps, sent } = scene(found());
    await expect(start(followUp, deps)).resolves.toMatchObject({
      source: 'followed-up',
      before: { status: 'completed' },
      job: { status: 'active' },
    });
    expect(sent).toEqual(['follow up job_1 More']);
  });
});

describe('a request that provably had no effect', () => {
  it('is retried after growing delays', async () => {
    const { deps, sent, clock } = scene(neverLeft, neverLeft, found());
    await start(create, deps);
    expect(sent).toHaveLength(3);
    expect(clock.delaysMs).toEqual([2_000, 4_000]);
  });

  it('is retried after 2 s to 60 s, minus up to half', async () => {
    const limits = Array.from({ length: 7 }, () => limited());
    const patient = scene(...limits, found());
    await start(create, patient.deps);
    expect(patient.clock.delaysMs).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    const lucky = sceneAt(0.999, limited(), limited(), found());
    await start(create, lucky.deps);
    expect(lucky.clock.delaysMs).toEqual([expect.closeTo(1_001, 0), expect.closeTo(2_002, 0)]);
  });

  it('reports each failure before the delay', async () => {
    const { deps, told } = scene(neverLeft, limited(5_000), found());
    await start(create, deps);
    expect(told).toEqual([
      'info: Nothing was started, because failure without a response; the next attempt is in 2 s.',
      'info: Nothing was started, because the API responded with 429; the next attempt is in 5 s.',
    ]);
  });

  it('counts the time from the attempt that was accepted', async () => {
    const { deps, clock } = scene(neverLeft, found());
    const nowMs = clock.nowMs();
    await expect(start(create, deps)).resolves.toMatchObject({
      sinceMs: expect.closeTo(nowMs + 2_000 + lagMs),
    });
  });

  it('is given up after a minute if the API cannot be reached', async () => {
    const { deps, clock } = scene(neverLeft);
    await expect(start(create, deps)).rejects.toThrow('Failure without a response');
    expect(clock.delaysMs).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  it.each([
    ['never left', neverLeft, 'Failure without a response'],
    ['came too early', limited(), 'The API responded with 429: wait.'],
  ])(
    'is retried for a minute, even if the step is not to wait for the job: it %s',
    async (_name, response, message) => {
      const { deps, clock } = scene(response);
      await expect(start(create, { ...deps, deadlineMs: startMs })).rejects.toThrow(message);
      expect(clock.delaysMs).toEqual([2_000, 4_000, 8_000, 16_000]);
    },
  );

  it('is a follow-up to a job whose read is retried for a minute, too', async () => {
    const { deps, clock } = scene();
    const get = async () => (clock.delaysMs.length < 2 ? failed({ status: 503 }) : found());
    const jobs = { ...deps.jobs, get };
    await expect(readBefore('job_1', { ...deps, jobs, deadlineMs: startMs })).resolves.toEqual(
      job(),
    );
  });

  it('waits for a rate limit as long as the waiting time allows', async () => {
    const { deps, clock } = scene(limited(600_000), limited(), found());
    await start(create, deps);
    expect(clock.delaysMs).toEqual([600_000, 4_000]);
  });

  it('is not retried faster if Retry-After is short or in the past', async () => {
    const { deps, clock } = scene(limited(0), limited(3_000), limited(3_000), found());
    await start(create, deps);
    expect(clock.delaysMs).toEqual([2_000, 4_000, 8_000]);
  });

  it.each([limited(0), limited()])(
    'that was asked to wait no longer than the time left is reported without a date',
    async (response) => {
      const { deps } = scene(response);
      await expect(start(create, { ...deps, deadlineMs: startMs })).rejects.not.toThrow(
        'asks to wait',
      );
    },
  );

  it('ends at once if Retry-After is longer than the waiting time, and says until when', async () => {
    const { deps, sent, clock } = scene(limited(3_600_000));
    await expect(start(create, deps)).rejects.toThrow(
      'The API responded with 429 and asks to wait until 2026-01-05 09:00 UTC (1 h): that is longer than wait-minutes allows, so re-run the workflow after that.',
    );
    expect(sent).toHaveLength(1);
    expect(clock.delaysMs).toEqual([]);
  });

  it('has no date for an extremely long wait', async () => {
    const { deps } = scene(limited(999_999_999_999_000));
    await expect(start(create, deps)).rejects.toThrow('asks to wait for more than 30 days: ');
  });

  it('is not sent again once the run is cancelled', async () => {
    const { deps, sent, cancel } = scene(neverLeft, found());
    cancel.abort(new CancelledError('received SIGINT'));
    await expect(start(create, deps)).rejects.toThrow(CancelledError);
    expect(sent).toHaveLength(1);
  });
});

describe('a request that may have arrived', () => {
  it.each([
    ['no response', failed()],
    ['408', failed({ status: 408 })],
    ['500', failed({ status: 500, isFromApi: true })],
    ['503 with Retry-After', failed({ status: 503, retryAfterMs: 1_000 })],
  ])('%s: is never sent again', async (_name, response) => {
    const { deps, sent } = scene(response, found());
    await expect(start(create, deps)).rejects.toMatchObject({
      reason: 'job-may-exist',
      message: expect.stringContaining('a job may exist'),
    });
    expect(sent).toHaveLength(1);
  });

  it('mentions the follow-up if it was one', async () => {
    const { deps } = scene(failed());
    await expect(start(followUp, deps)).rejects.toThrow('Mintlify may have received the follow-up');
  });
});

describe('a request that this step stopped', () => {
  it('because of an internal error may have arrived', async () => {
    const { deps } = scene();
    const mistake = new TypeError('no such thing');
    const broken = async () => {
      throw mistake;
    };
    const started = start(create, {
      ...deps,
      jobs: { ...deps.jobs, create: broken },
    });
    await expect(started).rejects.toThrow(SendingError);
    await expect(started).rejects.toMatchObject({ cause: mistake });
  });

  it('because the run was cancelled may have arrived, unless it never left', async () => {
    const cancelled = new CancelledError('received SIGINT');
    for (const [response, error] of [
      [failed(), SendingError],
      [neverLeft, CancelledError],
    ] as const) {
      const { deps, cancel, sent } = scene(response, found());
      cancel.abort(cancelled);
      await expect(start(create, deps)).rejects.toThrow(error);
      expect(sent).toHaveLength(1);
    }
  });
});

describe('a refusal', () => {
  it.each([400, 401, 403, 404, 422])(
    '%d is thrown unchanged, because no job was started',
    async (status) => {
      const { deps, sent } = scene(refused(status), found());
      const error = await start(create, deps).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(`${status}`);
      expect(String(error)).not.toContain('may exist');
      expect(sent).toHaveLength(1);
    },
  );
});
