import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultNames } from '../../src/agent/result.ts';
import { finalStatuses } from '../../src/platform/job.ts';
import { heavyRuns } from '../helpers/heavy-runs.ts';
import { startMs } from './life-clock.ts';
import { type Ended, type Errand, runLife } from './life-run.ts';
import {
  createLifeWorld,
  jobId,
  type LifePlan,
  type LifeWorld,
  type Mishap,
} from './life-world.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A time with the precision of the real clock: nanoseconds, with a digit or two less. */
const time = (maxMs: number, minMs = 0): fc.Arbitrary<number> =>
  fc.double({ min: minMs, max: maxMs, noNaN: true }).map((ms) => Math.round(ms * 1e4) / 1e4);

/** The rounding error of sums of such times. */
const roundingMs = 1e-6;

const latencyMs = time(2 * secondMs);

/** Temporary faults. */
const passing: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({ kind: fc.constant('none' as const), latencyMs }),
  fc.record({ kind: fc.constant('never-left' as const), latencyMs }),
  fc.record({ kind: fc.constant('broken' as const), latencyMs, isTaken: fc.boolean() }),
  fc.record({ kind: fc.constant('silence' as const), isTaken: fc.boolean() }),
  fc.record({
    kind: fc.constant('intercepted' as const),
    status: fc.constantFrom(200, 408, 500, 502, 503),
    isTaken: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('refused' as const),
    status: fc.constantFrom(408, 425, 429, 500, 503),
    isTaken: fc.boolean(),
    retryAfterMs: fc.oneof(fc.constantFrom(0, 1_000, 90_000, hourMs, 1e15), time(hourMs)),
  }),
);

/** Responses that claim a permanent failure, whether or not that is right. */
const final: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({
    kind: fc.constant('refused' as const),
    status: fc.constantFrom(400, 401, 403, 404, 422),
    isTaken: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('intercepted' as const),
    status: fc.constantFrom(302, 400, 401, 403, 404, 405, 407),
    isTaken: fc.boolean(),
  }),
);

const errands: fc.Arbitrary<Errand> = fc.record({
  kind: fc.constantFrom('new' as const, 'continue' as const, 'wait' as const),
  waitMs: fc.oneof(fc.constantFrom(0, minuteMs, 30 * minuteMs), time(3 * hourMs)),
  pollIntervalMs: fc.option(time(300 * secondMs, secondMs), { nil: undefined }),
});

function plans(mishap: fc.Arbitrary<Mishap>): fc.Arbitrary<Omit<LifePlan, 'isOld'>> {
  return fc.record({
    life: fc.record({
      pickUpMs: fc.oneof(fc.constant(0), time(9 * minuteMs)),
      worksForMs: fc.oneof(time(2 * minuteMs), time(4 * hourMs)),
      end: fc.constantFrom('completed' as const, ...finalStatuses),
      prLink: fc.constantFrom(null, 'https://github.com/acme/docs/pull/12', 'javascript:alert(1)'),
      linkDelayMs: fc.constantFrom(0, 0, 2_000, 20_000),
    }),
    mishaps: fc.array(mishap, { maxLength: 40 }),
    cancelAfterMs: fc.option(time(2 * hourMs), { nil: undefined, freq: 2 }),
    chances: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 1,
      maxLength: 5,
    }),
    lagsMs: fc.array(time(3), { minLength: 1, maxLength: 5 }),
  });
}

interface Played {
  readonly errand: Errand;
  readonly plan: LifePlan;
  readonly world: LifeWorld;
  readonly ended: Ended;
}

async function play(errand: Errand, plan: Omit<LifePlan, 'isOld'>): Promise<Played> {
  const whole = { ...plan, isOld: errand.kind !== 'new' };
  const world = createLifeWorld(whole);
  return { errand, plan: whole, world, ended: await runLife(errand, world) };
}

/** A real run that may start a job ends with any of the others. */
const results = resultNames.filter((name) => name !== 'ready' && name !== 'skipped');

/** The reasons with which a run can end; an internal error is not allowed. */
const reasons = [
  '',
  'key-refused',
  'forbidden',
  'project-not-found',
  'job-not-found',
  'rate-limited',
  'request-refused',
  'unreachable',
  'unreadable-answer',
  'job-may-exist',
];

function isEnd(result: unknown): boolean {
  return ['pull-request', 'no-pull-request', ...finalStatuses].some((end) => end === result);
}

/** A state from before a follow-up is no end for so long, less the time that the request took. */
const settlesAfterMs = 10 * minuteMs - 5 * secondMs;

/** True for every run, whatever goes wrong. */
function expectPromises({ errand, plan, world, ended }: Played): void {
  const { outputs, message } = ended;
  expect(world.taken()).toBeLessThanOrEqual(errand.kind === 'wait' ? 0 : 1);
  expect(results).toContain(outputs['result']);
  expect(message).toMatch(/^[A-Z].*\.?$/);
  const { reason = '' } = outputs;
  expect(outputs['result'] === 'error').toBe(reason !== '');
  expect(reasons).toContain(reason);
  if (world.hasTold()) {
    expect(outputs['job-id']).toBe(jobId);
  }
  if (outputs['result'] === 'pull-request') {
    expect(outputs['pr-link']).toBe(plan.life.prLink);
    expect(outputs['status']).toBe('completed');
  }
  if (isEnd(outputs['result']) && errand.kind === 'continue' && plan.life.linkDelayMs === 0) {
    const { pickUpMs, worksForMs } = plan.life;
    const earliestMs = Math.min(pickUpMs + worksForMs, settlesAfterMs);
    expect(ended.endedMs - (world.takenMs() ?? 0)).toBeGreaterThanOrEqual(earliestMs - roundingMs);
  }
  if (reason === 'unreadable-answer') {
    expect(maySpeakOfNonsense(errand, plan)).toBe(true);
  }
  // Sums of fractions differ in their last digits.
  expect(ended.endedMs).toBeLessThanOrEqual(latestEndMs(errand, plan) + 0.001);
}

/**
 * Unreadable successes, and pages that say 404, end the wait if they are the third failure in a row that no
 * waiting mends.
 */
function maySpeakOfNonsense({ kind }: Errand, { life, mishaps }: LifePlan): boolean {
  const lasting = mishaps.filter(
    (each) => 'status' in each && each.status < 500 && ![408, 425, 429].includes(each.status),
  );
  const isGarbled = lasting.some(
    (each) => each.kind === 'intercepted' && [200, 404].includes(each.status),
  );
  // A job that this step did not start may get no good response in the waiting time.
  const needed = kind === 'new' ? 3 : 1;
  const isNonsense = isGarbled && lasting.length >= needed;
  return isNonsense || life.prLink?.startsWith('javascript:') === true;
}

/**
 * The waiting time, at least the minute that a start has, plus requests that can still be running at its end:
 * the one that starts the work or the last poll, and the polls that confirm "no pull request".
 */
function latestEndMs({ waitMs }: Errand, { cancelAfterMs }: LifePlan): number {
  const limitMs =
    startMs + Math.max(waitMs, minuteMs) + 60 * secondMs + 30 * secondMs + 12 * secondMs;
  return cancelAfterMs === undefined
    ? limitMs
    : Math.min(limitMs, Math.max(startMs, startMs + cancelAfterMs) + 1);
}

const settings = heavyRuns(3000);

describe('a job, whatever goes wrong', () => {
  it('keeps every promise', async () => {
    await fc.assert(
      fc.asyncProperty(errands, plans(fc.oneof(passing, passing, final)), async (errand, plan) => {
        expectPromises(await play(errand, plan));
      }),
      settings,
    );
  });

  it('is not given up before the waiting time is over while trouble only passes', async () => {
    await fc.assert(
      fc.asyncProperty(errands, plans(passing), async (errand, plan) => {
        const played = await play(errand, { ...plan, cancelAfterMs: undefined });
        expectPromises(played);
        const { outputs, endedMs } = played.ended;
        if (outputs['result'] === 'timed-out') {
          expect(endedMs - startMs).toBeGreaterThanOrEqual(errand.waitMs - roundingMs);
        }
        // The step waits for a job that keeps running, unless it never got the job's id or state.
        const isGivenUp = outputs['result'] === 'error' && errand.kind !== 'wait';
        if (isGivenUp && outputs['reason'] !== 'unreadable-answer') {
          expect(['job-may-exist', 'rate-limited', 'unreachable', 'request-refused']).toContain(
            outputs['reason'],
          );
          expect(outputs['reason'] === 'job-may-exist' || played.world.taken() === 0).toBe(true);
        }
      }),
      settings,
    );
  });

  it('ends as cancelled when the run is cancelled while it is polled', async () => {
    await fc.assert(
      fc.asyncProperty(plans(passing), async (plan) => {
        const life = { ...plan.life, worksForMs: 5 * hourMs };
        const errand: Errand = { kind: 'new', waitMs: 4 * hourMs, pollIntervalMs: undefined };
        const played = await play(errand, {
          ...plan,
          life,
          cancelAfterMs: plan.cancelAfterMs ?? hourMs,
        });
        const { outputs } = played.ended;
        const isOver = outputs['result'] === 'error';
        expect(isOver || outputs['result'] === 'cancelled').toBe(true);
        expect(outputs['job-id'] ?? '').toBe(played.world.hasTold() ? jobId : '');
      }),
      settings,
    );
  });
});

describe('a life without trouble', () => {
  const errand: Errand = { kind: 'new', waitMs: 3 * hourMs, pollIntervalMs: undefined };
  const calm = plans(fc.constant({ kind: 'none', latencyMs: 10.8 }));

  it('is noticed to have ended at most an eighteenth of its length late, within 10 s and 60 s', async () => {
    await fc.assert(
      fc.asyncProperty(calm, async (plan) => {
        const life = {
          ...plan.life,
          linkDelayMs: 0,
          worksForMs: plan.life.worksForMs % (2 * hourMs),
        };
        const { world, ended } = await play(errand, { ...plan, life, cancelAfterMs: undefined });
        const lateMs =
          (world.pollsMs.find((atMs) => atMs - startMs >= life.worksForMs) ?? 0) -
          startMs -
          life.worksForMs;
        const requestMs = 50;
        const limitMs = Math.min(Math.max(life.worksForMs / 18, 10 * secondMs), minuteMs);
        expect(lateMs).toBeLessThanOrEqual(limitMs + requestMs);
        expect(world.pollsMs.filter((atMs) => atMs - startMs <= hourMs).length).toBeLessThanOrEqual(
          97 + 2,
        );
        expect(ended.outputs['result']).toBe(resultOf(life));
      }),
      settings,
    );
  });

  function resultOf({ end, prLink }: LifePlan['life']): string {
    if (end !== 'completed') {
      return end;
    }
    return prLink === null
      ? 'no-pull-request'
      : prLink.startsWith('https')
        ? 'pull-request'
        : 'error';
  }
});
