import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longestTimerMs, timeLimit, toTimerMs } from '../../../src/network/timer.ts';

it.each([
  [Number.NEGATIVE_INFINITY, 0],
  [-0.5, 0],
  [0, 0],
  [Number.MIN_VALUE, 1],
  [5000, 5000],
  [29_999.000_001, 30_000],
  [2 ** 31 - 1.5, longestTimerMs],
  [2 ** 31, longestTimerMs],
  [Number.POSITIVE_INFINITY, longestTimerMs],
])('%d ms are %d ms for a timer', (durationMs, timerMs) => {
  expect(toTimerMs(durationMs)).toBe(timerMs);
  expect(timeLimit(durationMs).aborted).toBe(false);
});

it('a delay of NaN throws', () => {
  expect(() => toTimerMs(Number.NaN)).toThrow(RangeError);
});

it.each([0.4, -1])('a time limit of %d ms is over at once', async (durationMs) => {
  const signal = timeLimit(durationMs);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
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
