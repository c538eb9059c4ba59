import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../src/platform/client.ts';
import { walkVisitors } from '../../src/platform/visitors.ts';
import { ActionError, CancelledError } from '../../src/text/error.ts';
import { apiResponse, fakeClient } from '../helpers/fake-client.ts';
import { type ClockPlan, createLifeClock, startMs } from './life-clock.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A time, with the precision of the real clock. */
const time = (maxMs: number): fc.Arbitrary<number> =>
  fc.double({ min: 0, max: maxMs, noNaN: true }).map((ms) => Math.round(ms * 1e4) / 1e4);

interface Reply {
  readonly latencyMs: number;
  readonly response: ApiResponse;
}

const counts = { human: 1, ai: 0, total: 1 };

function batch(hasMore: boolean): ApiResponse {
  const body = { totals: counts, visitors: [{ path: '/', ...counts }], hasMore };
  return apiResponse(200, body);
}

const good = fc.record({ latencyMs: time(2 * secondMs), response: fc.constant(batch(true)) });

/** Temporary faults. */
const trouble: fc.Arbitrary<Reply> = fc.oneof(
  fc.record({
    latencyMs: time(2 * secondMs),
    response: fc.record({
      kind: fc.constant('response' as const),
      status: fc.constantFrom(200, 408, 425, 429, 500, 503),
      body: fc.constantFrom(undefined, { error: 'not now' }),
      text: fc.constant(''),
      rayId: fc.constant(undefined),
      retryAfterMs: fc.option(
        fc.oneof(fc.constantFrom(0, 1_000, 90_000, hourMs, 1e15), time(hourMs)),
        { nil: undefined },
      ),
    }),
  }),
  fc.constant<Reply>({
    latencyMs: Number.POSITIVE_INFINITY,
    response: { kind: 'no-response', fault: { kind: 'time-out', code: '' }, mayHaveLeft: true },
  }),
);

interface Plan extends ClockPlan {
  /** For each request in order; all later ones succeed with the last batch. */
  readonly replies: readonly Reply[];
  readonly maxRequests: number;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  replies: fc.array(fc.oneof(good, trouble), { maxLength: 40 }),
  maxRequests: fc.integer({ min: 1, max: 60 }),
  cancelAfterMs: fc.option(time(2 * hourMs), { nil: undefined, freq: 2 }),
  chances: fc.constant([0]),
  lagsMs: fc.array(time(3), { minLength: 1, maxLength: 5 }),
});

interface Walked {
  readonly batches: number;
  readonly tookMs: number;
  readonly failure: unknown;
}

async function walk(plan: Plan): Promise<Walked> {
  const { clock, cancelled, passRequest } = createLifeClock(plan);
  let requests = 0;
  let batches = 0;
  const client = fakeClient(async ({ timeoutMs }) => {
    const { latencyMs, response } = plan.replies[requests] ?? {
      latencyMs: 87.6,
      response: batch(false),
    };
    requests += 1;
    const isCut = passRequest(latencyMs, timeoutMs);
    return isCut
      ? { kind: 'no-response', fault: { kind: 'cancelled', code: '' }, mayHaveLeft: true }
      : response;
  });
  const deps = {
    client,
    projectId: 'acme',
    clock,
    signal: cancelled,
    onRetry() {},
  };
  const end = (failure: unknown): Walked => ({
    batches,
    tookMs: clock.nowMs() - startMs,
    failure,
  });
  try {
    for await (const _batch of walkVisitors({}, plan.maxRequests, deps)) {
      batches += 1;
    }
    return end(undefined);
  } catch (error) {
    return end(error);
  }
}

describe('an export, whatever goes wrong', () => {
  it('ends with what was exported or with a documented error, in time', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { batches, tookMs, failure } = await walk(plan);
        expect(batches).toBeLessThanOrEqual(plan.maxRequests);
        if (failure instanceof CancelledError) {
          expect(tookMs).toBeCloseTo(plan.cancelAfterMs ?? Number.NaN);
        } else if (failure !== undefined) {
          expect(failure).toBeInstanceOf(ActionError);
        }
        // Failures in a row are retried for ten minutes, and requested delays may add an hour.
        const rowMs = 10 * minuteMs + hourMs + minuteMs;
        expect(tookMs).toBeLessThanOrEqual((batches + 1) * rowMs);
      }),
      { numRuns: 2000 },
    );
  });

  it('survives each fault, unless Retry-After is more than an hour', async () => {
    await fc.assert(
      fc.asyncProperty(plans, trouble, async (plan, once) => {
        const calm = { ...plan, maxRequests: 60, cancelAfterMs: undefined };
        const { response } = once;
        const isRefused = response.kind === 'response' && response.status !== 200;
        const askedMs = isRefused ? (response.retryAfterMs ?? 0) : 0;
        const { failure } = await walk({ ...calm, replies: [once] });
        expect(failure === undefined).toBe(askedMs <= hourMs);
      }),
    );
  });
});
