import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../src/visitors/findings.ts';
import { outputsOf } from '../../../src/visitors/outputs.ts';
import type { End } from '../../../src/visitors/page-list.ts';
import type { Result } from '../../../src/visitors/result.ts';
import { topPagesOf } from '../../../src/visitors/top-pages.ts';
import { page, visitorsInputs } from '../../helpers/visitors.ts';

/** The outputs that a source says something of. */
function known(source: Parameters<typeof outputsOf>[0]) {
  const values = Object.entries(outputsOf(source));
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const { period, ...inputs } = visitorsInputs({ period: 'last-month' });
const totals = { human: 900, ai: 0.5, total: 1000 };

function exported(end: End): Result {
  const pages = [page('/start')];
  const { path, previous, ...counts } = page('/start');
  return {
    result: 'exported',
    inputs: { period, ...inputs },
    file: 'visitors.csv',
    list: { totals, rows: new Map([[path, counts]]), duplicates: 0, end },
    before: undefined,
    findings: findingsOf(pages, 10, 1),
    topPages: topPagesOf(pages, 10, undefined),
  };
}

describe('the outputs', () => {
  it('are none before anything is known', () => {
    expect(known({})).toEqual({});
  });

  it('have the dates and the totals as soon as these are known', () => {
    expect(known({ period })).toEqual({ 'date-from': '2026-01-01', 'date-to': '2026-02-01' });
    expect(known({ totals })).toEqual({ human: '900', ai: '0.5', total: '1000' });
    const previousTotals = { human: 800, ai: 0, total: 850 };
    expect(known({ previousTotals })).toEqual({
      'previous-human': '800',
      'previous-ai': '0',
      'previous-total': '850',
    });
  });

  it('have no date for an open end of the period', () => {
    const open = visitorsInputs({ 'date-from': '2026-01-01' });
    expect(known({ period: open.period })).toEqual({ 'date-from': '2026-01-01' });
  });

  it.each<[End, Record<string, string>]>([
    [{ kind: 'whole' }, { complete: 'true' }],
    [{ kind: 'empty-batch' }, { complete: 'false' }],
    [
      { kind: 'out-of-requests', nextOffset: 500 },
      { complete: 'false', 'next-offset': '500' },
    ],
  ])('of an export say whether there is more, and how to continue: $kind', (end, values) => {
    expect(known({ end: { result: exported(end), message: 'Exported.' } })).toEqual({
      'page-count': '1',
      file: 'visitors.csv',
      'top-pages': { json: '[{"path":"/start","human":10,"ai":0,"total":10}]' },
      result: 'exported',
      message: 'Exported.',
      ...values,
    });
  });

  it.each<[Result, Record<string, string>]>([
    [
      { result: 'error', reason: 'forbidden', message: 'No.' },
      { result: 'error', reason: 'forbidden', message: 'No.' },
    ],
    [
      { result: 'skipped', reason: 'no-secret', message: 'No.', level: 'notice' },
      { result: 'skipped', reason: 'no-secret', message: 'No.' },
    ],
    [{ result: 'cancelled' }, { result: 'cancelled', message: 'No.' }],
  ])('have a reason but no file if nothing was exported: $result', (result, values) => {
    expect(known({ end: { result, message: 'No.' } })).toEqual(values);
  });
});
