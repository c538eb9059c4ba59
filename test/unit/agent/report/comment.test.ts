import { expect, it } from 'vitest';
import { inTime } from '../../../../src/agent/report/comment.ts';
import type { Clock } from '../../../../src/runner/clock.ts';
import { fakeClock, fakeRunner } from '../../../helpers/fake-runner.ts';

/** A clock on which only one delay ever ends. */
function clockWith(endingMs: number): Clock {
  return {
    ...fakeClock(),
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason));
        if (durationMs === endingMs) {
          resolve();
        }
      }),
  };
}

it.each([
  ['for 10 s', 10_000, new AbortController().signal],
  ['until the deadline of a stopped step', Number.NaN, AbortSignal.abort()],
])('a comment that GitHub never writes is waited for %s', async (_name, endingMs, deadline) => {
  const runner = { ...fakeRunner(), clock: clockWith(endingMs), deadline };
  await expect(inTime(new Promise(() => {}), runner)).resolves.toBeUndefined();
});
