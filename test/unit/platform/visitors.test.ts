import { describe, expect, it } from 'vitest';
import type { ApiRequest, ApiResponse, Client } from '../../../src/platform/client.ts';
import type { Budget, DateRange } from '../../../src/platform/visitors.ts';
import { createVisitors } from '../../../src/platform/visitors.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

const minuteMs = 60_000;

/** No answer comes at once. */
const requestMs = 87.6;

function answer(status: number, body: unknown, retryAfterMs?: number): ApiResponse {
  return { kind: 'response', status, body, retryAfterMs };
}

/** A batch of `count` rows. */
function batch(count: number, hasMore: boolean): ApiResponse {
  const counts = { human: 1, ai: 0, total: 1 };
  const visitors = Array.from({ length: count }, (_, row) => ({ path: `/${row}`, ...counts }));
  return answer(200, { totals: counts, visitors, hasMore, extra: true });
}

const refused = (status: number, retryAfterMs?: number) =>
  answer(status, { error: 'no', details: [{ message: 'a' }, { message: 'b' }] }, retryAfterMs);

interface Walk {
  readonly answers: readonly ApiResponse[];
  readonly range?: DateRange;
  readonly offset?: number;
  readonly budget?: Budget;
  /** The request during which the run is cancelled, counted from 1. */
  readonly cancelAt?: number;
}

/** Walks against answers in a row; the last one is given for ever. */
async function walk({ answers, range = {}, offset = 0, budget = { left: 90 }, cancelAt }: Walk) {
  const cancel = new AbortController();
  const calls: ApiRequest[] = [];
  const troubles: string[] = [];
  const clock = fakeClock();
  const client: Client = {
    async send(call) {
      calls.push(call);
      clock.advance(requestMs);
      if (calls.length === cancelAt) {
        cancel.abort(new Error('received SIGINT'));
      }
      const given = answers[calls.length - 1] ?? answers.at(-1);
      return given ?? batch(0, false);
    },
    close: async () => {},
  };
  const context = { host: 'api.example', projectId: 'acme', hourlyLimit: 'it is limited' };
  const visitors = createVisitors(client, context, {
    clock,
    cancelled: cancel.signal,
    onTrouble: (error) => troubles.push(error.what),
  });
  const rows: number[] = [];
  let failure: unknown;
  try {
    for await (const { rows: found } of visitors.walk(range, offset, budget)) {
      rows.push(found.length);
    }
  } catch (error) {
    failure = error;
  }
  const offsets = calls.map(({ query }) => query?.['offset']);
  return { calls, offsets, rows, failure, troubles, pausesMs: clock.pausesMs, budget };
}

describe('the walk through the visitors', () => {
  it('asks for 250 rows at a time, in order, with the dates as given', async () => {
    const range = { dateFrom: '2026-01-01', dateTo: '2026-02-01' };
    const answers = [batch(250, true), batch(250, true), batch(3, false)];
    const { calls, offsets, rows } = await walk({ answers, range });
    expect(calls[0]).toMatchObject({
      method: 'GET',
      path: ['v1', 'analytics', 'acme', 'visitors'],
      query: { ...range, limit: '250', offset: '0' },
    });
    expect(offsets).toEqual(['0', '250', '500']);
    expect(rows).toEqual([250, 250, 3]);
  });

  it('leaves out a date that was not given, and begins where it is told', async () => {
    const { calls } = await walk({ answers: [batch(1, false)], offset: 500 });
    expect(calls.map(({ query }) => query)).toEqual([{ limit: '250', offset: '500' }]);
  });

  it('ends with an empty batch, whatever the service says', async () => {
    const { rows } = await walk({ answers: [batch(250, true), batch(0, true)] });
    expect(rows).toEqual([250, 0]);
  });

  it('ends when the budget is spent, repeated requests included', async () => {
    const answers = [batch(250, true), refused(500), batch(250, true)];
    const { rows, calls, failure, budget } = await walk({ answers, budget: { left: 4 } });
    expect(rows).toEqual([250, 250, 250]);
    expect(calls).toHaveLength(4);
    expect(failure).toBeUndefined();
    expect(budget.left).toBe(0);
  });

  it('ends quietly when the last requests failed, but not when all did', async () => {
    const some = await walk({ answers: [batch(250, true), refused(500)], budget: { left: 3 } });
    expect([some.rows, some.failure]).toEqual([[250], undefined]);
    const none = await walk({ answers: [refused(500)], budget: { left: 3 } });
    expect(none.failure).toMatchObject({ reason: 'unreachable' });
    expect(none.calls).toHaveLength(3);
  });
});

describe('a walk that is cancelled during a request', () => {
  it.each([
    ['good', batch(250, true)],
    ['failed', refused(500)],
  ])('ends there, though it was a %s one', async (_name, response) => {
    const answers = [batch(250, true), response, batch(250, false)];
    const { rows, calls, failure, troubles } = await walk({ answers, cancelAt: 2 });
    expect(failure).toEqual(new Error('received SIGINT'));
    expect(rows).toEqual([250]);
    expect(calls).toHaveLength(2);
    expect(troubles).toEqual([]);
  });
});

describe('a request that fails', () => {
  it('is repeated after pauses that stretch, and tells the mistakes that the service lists', async () => {
    const failures = Array<ApiResponse>(6).fill(refused(503));
    const { rows, pausesMs, troubles } = await walk({ answers: [...failures, batch(1, false)] });
    expect(rows).toEqual([1]);
    expect(pausesMs).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(troubles[0]).toBe('the service at api.example answered 503 ("no: a; b")');
  });

  it.each<[string, ApiResponse]>([
    ['HTML', answer(200, undefined)],
    ['a job', answer(200, { id: 'job_1', status: 'active' })],
    ['rows without numbers', answer(200, { totals: {}, visitors: [], hasMore: false })],
    [
      'a negative count',
      answer(200, {
        totals: { human: -1, ai: 0, total: 0 },
        visitors: [],
        hasMore: false,
      }),
    ],
    ['no hasMore', answer(200, { totals: { human: 1, ai: 0, total: 1 }, visitors: [] })],
    ['nothing', { kind: 'no-response', fault: { kind: 'broken', code: '' }, mayHaveLeft: true }],
  ])('because it brings %s, is repeated too', async (_name, response) => {
    const { rows, troubles } = await walk({ answers: [response, batch(2, false)] });
    expect(rows).toEqual([2]);
    expect(troubles).toHaveLength(1);
  });

  it('names what an answer should have held', async () => {
    const { troubles } = await walk({ answers: [answer(200, undefined), batch(1, false)] });
    expect(troubles).toEqual([
      'the service at api.example sent an answer that is no list of visitors',
    ]);
  });

  it('waits as long as Retry-After asks, up to an hour', async () => {
    const patient = await walk({ answers: [refused(429, 60 * minuteMs), batch(1, false)] });
    expect(patient.pausesMs).toEqual([60 * minuteMs]);
    const endless = await walk({ answers: [refused(429, 61 * minuteMs)] });
    expect(endless.pausesMs).toEqual([]);
    expect(endless.failure).toMatchObject({
      reason: 'rate-limited',
      message: expect.stringContaining('asks to wait until 2026-01-05 09:01 UTC (1 h 1 min)'),
    });
  });

  it('waits as long as several Retry-After ask together, up to an hour', async () => {
    const half = refused(429, 30 * minuteMs);
    const patient = await walk({ answers: [half, half, batch(1, false)] });
    expect(patient.pausesMs).toEqual([30 * minuteMs, 30 * minuteMs]);
    const endless = await walk({ answers: [half] });
    expect(endless.pausesMs).toEqual([30 * minuteMs, 30 * minuteMs]);
    expect(endless.failure).toMatchObject({
      reason: 'rate-limited',
      what: 'the service at api.example answered 429 ("no: a; b")',
    });
  });

  it('has its ten minutes beside the hour that Retry-After asked for', async () => {
    const answers = [refused(429, 60 * minuteMs), refused(503), refused(503), batch(1, false)];
    const { rows, pausesMs } = await walk({ answers });
    expect(rows).toEqual([1]);
    expect(pausesMs).toEqual([60 * minuteMs, 10_000, 20_000]);
  });

  it.each([
    ['429 without one', refused(429), 'rate-limited', 429],
    ['503 with one', refused(503, 61 * minuteMs), 'unreachable', 503],
  ])('tells of no Retry-After at the end of %s', async (_name, response, reason, status) => {
    const { failure } = await walk({ answers: [response] });
    expect(failure).toMatchObject({
      reason,
      what: `the service at api.example answered ${status} ("no: a; b")`,
    });
  });

  it('is given up after ten minutes of failures in a row', async () => {
    const { failure, pausesMs } = await walk({ answers: [refused(500)] });
    expect(failure).toMatchObject({ reason: 'unreachable' });
    const waitedMs = pausesMs.reduce((sum, pauseMs) => sum + pauseMs, 0);
    expect(waitedMs).toBeLessThanOrEqual(10 * minuteMs);
    expect(waitedMs).toBeGreaterThan(8 * minuteMs);
  });

  it('that brings something else with 200 three times ends it, after 5 and 10 s', async () => {
    const { failure, calls, pausesMs } = await walk({ answers: [answer(200, undefined)] });
    expect(failure).toMatchObject({ reason: 'unreadable-answer' });
    expect(calls).toHaveLength(3);
    expect(pausesMs).toEqual([5_000, 10_000]);
  });

  it.each([
    ['at the first answer', [refused(401)], 'key-refused', 1],
    ['of bad dates', [refused(400)], 'request-refused', 1],
    ['twice in a row later', [batch(250, true), refused(403), refused(403)], 'forbidden', 3],
    ['thrice for a missing project', [refused(404)], 'project-not-found', 3],
  ] as const)('for good, %s, ends it', async (_name, answers, reason, requests) => {
    const { failure, calls } = await walk({ answers });
    expect(failure).toMatchObject({ reason });
    expect(calls).toHaveLength(requests);
  });

  it('once in the middle does not', async () => {
    const { rows } = await walk({ answers: [batch(250, true), refused(401), batch(9, false)] });
    expect(rows).toEqual([250, 9]);
  });
});
