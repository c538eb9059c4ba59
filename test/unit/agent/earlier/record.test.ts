import { expect, it } from 'vitest';
import { type RecordDeps, showInTime } from '../../../../src/agent/earlier/record.ts';
import type { Clock } from '../../../../src/runner/clock.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';

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
  const deps: RecordDeps = {
    comment: {
      findRecords: () => Promise.reject(new Error('not asked for')),
      showWorking: () => new Promise(() => {}),
    },
    cache: {
      find: () => Promise.reject(new Error('not asked for')),
      save: () => Promise.reject(new Error('not asked for')),
    },
    apiKey: 'mint_key',
    clock: clockWith(endingMs),
    signal: stop.signal,
    log: { debug: () => {}, warning: () => {} },
  };
  await expect(showInTime({}, deps)).resolves.toBeUndefined();
});
