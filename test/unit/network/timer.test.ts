import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestTimerMs, timeLimit, toTimerMs } from '../../../src/network/timer.ts';

describe('the delay of a timer', () => {
  it.each([
    [0, 0],
    [-0.5, 0],
    [-5000, 0],
    [Number.NEGATIVE_INFINITY, 0],
    [Number.MIN_VALUE, 1],
    [0.5, 1],
    [5000, 5000],
    [29_999.000_001, 30_000],
    [2 ** 31 - 1.5, longestTimerMs],
    [2 ** 31, longestTimerMs],
    [2 ** 32, longestTimerMs],
    [Number.MAX_VALUE, longestTimerMs],
    [Number.POSITIVE_INFINITY, longestTimerMs],
  ])('of %d ms is %d ms', (durationMs, timerMs) => {
    expect(toTimerMs(durationMs)).toBe(timerMs);
  });

  it('is a whole number, and at least the duration', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: longestTimerMs, noNaN: true }), (durationMs) => {
        const timerMs = toTimerMs(durationMs);
        expect(Number.isInteger(timerMs)).toBe(true);
        expect(timerMs).toBeGreaterThanOrEqual(durationMs);
        expect(timerMs - 1).toBeLessThan(durationMs);
      }),
    );
  });

  it('of NaN throws', () => {
    expect(() => toTimerMs(Number.NaN)).toThrow(RangeError);
  });
});

describe('a time limit', () => {
  it('is accepted by Node for any duration', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (durationMs) => {
        expect(timeLimit(durationMs).aborted).toBe(false);
      }),
    );
  });

  it.each([0.4, -1])('of %d ms is over at once', async (durationMs) => {
    const signal = timeLimit(durationMs);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });
});

it('no other module creates a timer', () => {
  const src = fileURLToPath(new URL('../../../src/', import.meta.url));
  const files = globSync('**/*.ts', { cwd: src });
  const timers = /AbortSignal\s*\.\s*timeout|\bset(?:Timeout|Interval)\s*\(|node:timers/;
  const found = files.filter((file) => timers.test(readFileSync(join(src, file), 'utf8')));
  expect(files.length).toBeGreaterThan(50);
  expect(found.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual([
    'network/timer.ts',
    'runner/clock.ts',
  ]);
});
