import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse } from '../../../src/platform/client.ts';
import { type DateRange, readVisitorBatch, walkVisitors } from '../../../src/platform/visitors.ts';
import type { ActionError } from '../../../src/text/error.ts';
import { apiResponse, fakeClient } from '../../helpers/fake-client.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';

const minuteMs = 60_000;

/** No response comes at once. */
const requestMs = 87.6;

/** A batch of `count` rows. */
function batch(count: number, hasMore: boolean): ApiResponse {
  const counts = { human: 1, ai: 0, total: 1 };
  const visitors = Array.from({ length: count }, (_, row) => ({ path: `/${row}`, ...counts }));
  return apiResponse(200, { totals: counts, visitors, hasMore, extra: true });
}

const refused = (status: number, retryAfterMs?: number) =>
  apiResponse(status, { error: 'no', details: [{ message: 'a' }, { message: 'b' }] }, retryAfterMs);

interface Walk {
  readonly responses: readonly ApiResponse[];
  readonly range?: DateRange;
  readonly maxRequests?: number;
  /** The request during which the run is cancelled, counted from 1. */
  readonly cancelAt?: number;
}

/** Walks with these responses in order, the last one repeatedly. */
async function walk({ responses, range = {}, maxRequests = 90, cancelAt }: Walk) {
  const cancel = new AbortController();
  const calls: ApiRequest[] = [];
  const retries: string[] = [];
  const clock = fakeClock();
  const client = fakeClient(async (call) => {
    calls.push(call);
    clock.advance(requestMs);
    if (calls.length === cancelAt) {
      cancel.abort(new Error('received SIGINT'));
    }
    const given = responses[calls.length - 1] ?? responses.at(-1);
    return given ?? batch(0, false);
  });
  const deps = {
    client,
    projectId: 'acme',
    clock,
    signal: cancel.signal,
    onRetry: (error: ActionError, delayMs: number) => retries.push(`${error.what}, ${delayMs}`),
  };
  const rows: number[] = [];
  let failure: unknown;
  try {
    for await (const batch of walkVisitors(range, maxRequests, deps)) {
      rows.push(batch.visitors.length);
    }
  } catch (error) {
    failure = error;
  }
  const offsets = calls.map(({ query }) => query?.['offset']);
  return { calls, offsets, rows, failure, retries, delaysMs: clock.delaysMs };
}

describe('the walk through the visitors', () => {
  it('asks for 250 rows at a time, in order, with the dates as given', async () => {
    const range = { dateFrom: '2026-01-01', dateTo: '2026-02-01' };
    const responses = [batch(250, true), batch(250, true), batch(3, false)];
    const { calls, offsets, rows } = await walk({ responses, range });
    expect(calls[0]).toEqual({
      method: 'GET',
      path: ['v1', 'analytics', 'acme', 'visitors'],
      query: { ...range, limit: '250', offset: '0' },
      timeoutMs: 60_000,
    });
    expect(offsets).toEqual(['0', '250', '500']);
    expect(rows).toEqual([250, 250, 3]);
  });

  it('goes on after the rows that came, though they are not as many as it asked for', async () => {
    const responses = [batch(100, true), batch(251, true), batch(3, false)];
    const { offsets, rows } = await walk({ responses });
    expect(offsets).toEqual(['0', '100', '351']);
    expect(rows).toEqual([100, 251, 3]);
  });

  it('leaves out a missing date', async () => {
    const { calls } = await walk({ responses: [batch(1, false)] });
    expect(calls.map(({ query }) => query)).toEqual([{ limit: '250', offset: '0' }]);
  });

  it('ends with an empty batch, whatever the API says', async () => {
    const { rows } = await walk({ responses: [batch(250, true), batch(0, true)] });
    expect(rows).toEqual([250, 0]);
  });

  it('ends after as many batches as it may request, whatever was retried', async () => {
    const responses = [batch(250, true), refused(500), batch(250, true)];
    const { rows, calls, failure } = await walk({ responses, maxRequests: 3 });
    expect(rows).toEqual([250, 250, 250]);
    expect(calls).toHaveLength(4);
    expect(failure).toBeUndefined();
  });
});

describe('a walk that is cancelled during a request', () => {
  it.each([
    ['good', batch(250, true)],
    ['failed', refused(500)],
  ])('ends the walk, even after a %s batch', async (_name, reply) => {
    const responses = [batch(250, true), reply, batch(250, false)];
    const { rows, calls, failure, retries } = await walk({ responses, cancelAt: 2 });
    expect(failure).toEqual(new Error('received SIGINT'));
    expect(rows).toEqual([250]);
    expect(calls).toHaveLength(2);
    expect(retries).toEqual([]);
  });
});

describe('a request that fails', () => {
  const response = (status: number) =>
    `the API at api.example responded with ${status} ("no: a; b")`;

  it('is retried after growing delays, and reports the problems that the API lists', async () => {
    const failures = Array<ApiResponse>(6).fill(refused(503));
    const { rows, delaysMs, retries } = await walk({ responses: [...failures, batch(1, false)] });
    expect(rows).toEqual([1]);
    expect(delaysMs).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(retries).toEqual(delaysMs.map((delayMs) => `${response(503)}, ${delayMs}`));
  });

  it('begins with a short delay again after a success', async () => {
    const responses = [refused(503), refused(503), batch(250, true), refused(503), batch(1, false)];
    expect((await walk({ responses })).delaysMs).toEqual([5_000, 10_000, 5_000]);
  });

  it.each<[string, ApiResponse]>([
    ['something else', apiResponse(200, { id: 'job_1', status: 'active' })],
    ['nothing', { kind: 'no-response', fault: { kind: 'broken', code: '' }, mayHaveLeft: true }],
  ])('because it brings %s, is repeated too', async (_name, reply) => {
    const { rows, retries } = await walk({ responses: [reply, batch(2, false)] });
    expect([rows, retries.length]).toEqual([[2], 1]);
  });

  // The clock is late by a moment after each request and each delay, for which the hour has a minute.
  it.each([
    [[60 * minuteMs], [60 * minuteMs], undefined],
    [[61 * minuteMs - requestMs], [61 * minuteMs - requestMs], undefined],
    [[61 * minuteMs], [], response(429)],
    [
      [62 * minuteMs],
      [],
      `${response(429)} and asks to wait until 2026-01-05 09:03 UTC (1 h 2 min)`,
    ],
    [[30 * minuteMs, 30 * minuteMs], [30 * minuteMs, 30 * minuteMs], undefined],
    [[40 * minuteMs, 21 * minuteMs], [40 * minuteMs], response(429)],
  ])('waits as long as Retry-After asks, up to an hour in all: %j', async (...expected) => {
    const [askedMs, waitedMs, what] = expected;
    const limits = askedMs.map((delayMs) => refused(429, delayMs));
    const { delaysMs, failure } = await walk({ responses: [...limits, batch(1, false)] });
    expect(delaysMs).toEqual(waitedMs);
    const error = expect.objectContaining({ reason: 'rate-limited', what });
    expect(failure).toEqual(what === undefined ? undefined : error);
  });

  it('says what to do if the API asks for a longer wait, and of which limit that is', async () => {
    const { failure } = await walk({ responses: [refused(429, 62 * minuteMs)] });
    expect(failure).toMatchObject({
      advice: 'that is longer than this action waits, so re-run the workflow after that',
    });
    const without = await walk({ responses: [refused(429)] });
    expect(without.failure).toMatchObject({
      what: response(429),
      advice:
        'the limit of an organisation is 100 analytics requests an hour, so wait a while and re-run the workflow',
    });
    const fault = await walk({ responses: [refused(503, 62 * minuteMs)] });
    expect(fault.failure).toMatchObject({ reason: 'unreachable', what: response(503) });
  });

  it('has ten minutes in addition to the hour of Retry-After', async () => {
    const responses = [refused(429, 60 * minuteMs), refused(503), refused(503), batch(1, false)];
    const { rows, delaysMs } = await walk({ responses });
    expect(rows).toEqual([1]);
    expect(delaysMs).toEqual([60 * minuteMs, 10_000, 20_000]);
  });

  it('is given up after ten minutes of failures in a row', async () => {
    const { failure, delaysMs } = await walk({ responses: [refused(500)] });
    expect(failure).toMatchObject({ reason: 'unreachable' });
    expect(delaysMs).toEqual([5_000, 10_000, 20_000, 40_000, ...Array(8).fill(60_000)]);
  });

  it.each([
    ['at the first response', [refused(401)], 'key-refused', 1],
    ['of bad dates', [refused(400)], 'request-refused', 1],
    ['thrice in a row later', [batch(250, true), refused(403)], 'forbidden', 4],
    ['thrice for a missing project', [refused(404)], 'project-not-found', 3],
    ['thrice for something else with 200', [apiResponse(200, {})], 'unreadable-answer', 3],
  ] as const)('for good, %s, ends it', async (_name, responses, reason, requests) => {
    const { failure, calls } = await walk({ responses });
    expect(failure).toMatchObject({ reason });
    expect(calls).toHaveLength(requests);
  });

  it('once in the middle does not', async () => {
    const { rows } = await walk({ responses: [batch(250, true), refused(401), batch(9, false)] });
    expect(rows).toEqual([250, 9]);
  });

  it('says what it should have been', async () => {
    const { retries } = await walk({ responses: [apiResponse(200, {}), batch(1, false)] });
    const what = 'the API at api.example sent a response that is not a list of visitors';
    expect(retries).toEqual([`${what}, 5000`]);
  });
});

describe('a batch of visitors', () => {
  const counts = { human: 3, ai: 2, total: 4 };
  const body = { totals: counts, visitors: [{ path: '/a', ...counts }], hasMore: false };

  it('is read completely, without unknown fields', () => {
    const extra = { ...body, visitors: [{ ...body.visitors[0], extra: 1 }], extra: 1 };
    expect(readVisitorBatch(extra)).toEqual({
      totals: counts,
      visitors: [{ path: '/a', ...counts }],
      hasMore: false,
    });
  });

  it.each(['totals', 'visitors', 'hasMore'])('is not read without %s', (field) => {
    expect(readVisitorBatch({ ...body, [field]: undefined })).toBeUndefined();
  });

  it.each(['path', 'human', 'ai', 'total'])('is not read with a row without %s', (field) => {
    const visitors = [{ path: '/a', ...counts, [field]: undefined }];
    expect(readVisitorBatch({ ...body, visitors })).toBeUndefined();
  });

  it.each(['human', 'ai', 'total'])(
    'has whole numbers, rounded if the API sends a fraction, for %s',
    (field) => {
      const batchWith = (value: unknown) => {
        const odd = { ...counts, [field]: value };
        return { ...body, totals: odd, visitors: [{ path: '/a', ...odd }] };
      };
      for (const [value, read] of [
        [0, 0],
        [0.4, 0],
        [1240.5, 1241],
        [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ]) {
        expect(readVisitorBatch(batchWith(value))).toEqual(batchWith(read));
      }
      for (const value of [null, '3', -0.5, Number.NaN, 2 ** 53, 1e308]) {
        const { totals, visitors } = batchWith(value);
        expect(readVisitorBatch({ ...body, totals })).toBeUndefined();
        expect(readVisitorBatch({ ...body, visitors })).toBeUndefined();
      }
    },
  );
});
