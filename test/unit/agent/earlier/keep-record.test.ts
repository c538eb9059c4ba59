import { expect, it } from 'vitest';
import { inTime } from '../../../../src/agent/earlier/keep-record.ts';
import type { Clock } from '../../../../src/runner/clock.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

/** A clock on which only one delay ever ends. */
function clockWith(endingMs: number): Clock {
  return {
    ...fakeClock(),
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        if (durationMs === endingMs) {
          resolve();
        }
      }),
  };
}

it.each([
  ['10 s', 10_000, undefined],
  ['1.5 s after a cancel', 1500, new CancelledError('received SIGINT')],
])('a comment that GitHub never writes is waited for until %s', async (_name, endingMs, reason) => {
  const stop = new AbortController();
  if (reason !== undefined) {
    stop.abort(reason);
  }
  const runner = { ...fakeRunner(), clock: clockWith(endingMs), signal: stop.signal };
  await expect(inTime(new Promise(() => {}), runner)).resolves.toBeUndefined();
});
