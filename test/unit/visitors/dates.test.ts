import { describe, expect, it } from 'vitest';
import { readDate } from '../../../src/visitors/dates.ts';

describe('a written date', () => {
  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '01.02.2026',
    'yesterday',
    '2026-01-01T25:00Z',
    '2026-01-01 08:00',
    '2026-01-01T08:00:00+1',
    '20260101',
    '-2026-01-01',
  ])('%s is none', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-01T08:30', '2026-01-01T08:30:00.000Z'],
    ['2026-01-01T08:30:15.5-05:00', '2026-01-01T13:30:15.500Z'],
  ])('%s is one', (text, moment) => {
    expect(new Date(readDate(text)?.atMs ?? 0).toISOString()).toBe(moment);
  });
});
