import { describe, expect, test } from 'vitest';
import {
  DAY_MS,
  inventVisitors,
  NASTY_PATHS,
  type VisitorReport,
} from '../../../sandbox/service/visitors.ts';
import { NOW, startServiceUnderTest } from '../../helpers/sandbox-service.ts';

const VISITORS = '/v1/analytics/ours/visitors';
const TODAY = Math.floor(NOW / DAY_MS);

const site = inventVisitors({ seed: 1, pages: 2000, now: () => NOW });

function sum(report: VisitorReport, figure: 'human' | 'ai' | 'total'): number {
  return report.visitors.reduce((total, page) => total + page[figure], 0);
}

describe('the figures', () => {
  test('are sorted by total, and list every page once', () => {
    const { visitors } = site({});
    expect(new Set(visitors.map(({ path }) => path)).size).toBe(2000);
    const totals = visitors.map(({ total }) => total);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  });

  test('count each visitor of a page once', () => {
    for (const { human, ai, total } of site({}).visitors) {
      expect(total).toBeLessThanOrEqual(human + ai);
      expect(total).toBeGreaterThanOrEqual(Math.max(human, ai));
    }
    expect(site({}).visitors[0]).toSatisfy(({ human, ai, total }) => total < human + ai);
  });

  test('have totals that are less than the sums', () => {
    const report = site({});
    expect(report.totals.total).toBeLessThan(report.totals.human + report.totals.ai);
    for (const figure of ['human', 'ai', 'total'] as const) {
      expect(report.totals[figure]).toBeLessThan(sum(report, figure));
      const most = Math.max(...report.visitors.map((page) => page[figure]));
      expect(report.totals[figure]).toBeGreaterThanOrEqual(most);
    }
  });

  test('of a longer range are higher, but less than the sum of its parts', () => {
    const first = site({ from: TODAY - 60, to: TODAY - 30 }).totals.total;
    const second = site({ from: TODAY - 30, to: TODAY }).totals.total;
    const both = site({ from: TODAY - 60, to: TODAY }).totals.total;
    expect(both).toBeGreaterThan(Math.max(first, second));
    expect(both).toBeLessThan(first + second);
  });

  test('end yesterday and go back 120 days', () => {
    expect(site({ from: TODAY }).visitors).toEqual([]);
    expect(site({ from: TODAY }).totals).toEqual({ human: 0, ai: 0, total: 0 });
    expect(site({ to: TODAY - 120 }).visitors).toEqual([]);
    expect(site({ from: TODAY - 500, to: TODAY + 5 })).toEqual(site({}));
    expect(site({ from: TODAY - 1 }).visitors).toHaveLength(2000);
  });

  test('have every nasty path among the 40 most visited pages', () => {
    const top = site({})
      .visitors.slice(0, 40)
      .map(({ path }) => path);
    expect(top).toEqual(expect.arrayContaining([...NASTY_PATHS]));
  });
});

describe('the operation', () => {
  test('returns 50 rows by default, and at most 250', async () => {
    await using service = await startServiceUnderTest({ pages: 300 });
    const all = inventVisitors({ seed: 1, pages: 300, now: () => NOW })({});
    expect(await service.request('GET', VISITORS)).toEqual({
      status: 200,
      body: { totals: all.totals, visitors: all.visitors.slice(0, 50), hasMore: true },
    });
    expect(await service.request('GET', `${VISITORS}?limit=250&offset=250`)).toEqual({
      status: 200,
      body: { totals: all.totals, visitors: all.visitors.slice(250), hasMore: false },
    });
  });

  test.each([
    ['limit=100&offset=200', 100, false],
    ['limit=100&offset=199', 100, true],
    ['limit=1&offset=300', 0, false],
  ])('returns whether there are more rows: %s', async (query, length, hasMore) => {
    await using service = await startServiceUnderTest({ pages: 300 });
    const { body } = await service.request('GET', `${VISITORS}?${query}`);
    expect(body).toMatchObject({ visitors: { length }, hasMore });
  });

  test.each([
    ['dateFrom=2025-06-01&dateTo=2025-06-08', '2025-06-01', '2025-06-08'],
    ['dateFrom=2025-06-02T01:00:00%2B02:00', '2025-06-01', '2025-06-15'],
    ['dateTo=2025-06-08T15:30', '2025-01-01', '2025-06-08'],
    ['dateFrom=2025-06-01T22:30:15,5-0200&dateTo=2025-06', '2025-06-02', '2025-06-01'],
    ['dateFrom=2025-W23-2&dateTo=2025W241', '2025-06-03', '2025-06-09'],
  ])('uses whole UTC days, and excludes the last one: %s', async (query, from, to) => {
    await using service = await startServiceUnderTest({ pages: 300 });
    const days = { from: Date.parse(from) / DAY_MS, to: Date.parse(to) / DAY_MS };
    const { totals } = inventVisitors({ seed: 1, pages: 300, now: () => NOW })(days);
    const { body } = await service.request('GET', `${VISITORS}?${query}`);
    expect(body).toMatchObject({ totals });
  });

  test.each([
    ['limit=0', 'limit must be an integer from 1 to 250'],
    ['limit=251', 'limit must be an integer from 1 to 250'],
    ['offset=-1', 'offset must be an integer of at least 0'],
    ['dateFrom=2025-02-30', 'dateFrom must be an ISO 8601 or YYYY-MM-DD date'],
    ['dateFrom=12:00', 'dateFrom must be an ISO 8601 or YYYY-MM-DD date'],
    ['dateTo=2025-06-01T25:00Z', 'dateTo must be an ISO 8601 or YYYY-MM-DD date'],
  ])('refuses %s', async (query, message) => {
    await using service = await startServiceUnderTest();
    expect(await service.request('GET', `${VISITORS}?${query}`)).toEqual({
      status: 400,
      body: { error: 'Invalid query parameters', details: [{ message }] },
    });
  });

  test.each(['2025-06-08', '2025-06-01'])('has nobody from 2025-06-08 to %s', async (dateTo) => {
    await using service = await startServiceUnderTest();
    expect(
      await service.request('GET', `${VISITORS}?dateFrom=2025-06-08&dateTo=${dateTo}`),
    ).toEqual({
      status: 200,
      body: { totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false },
    });
  });
});
