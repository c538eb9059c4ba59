import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, backoffMs, retry } from '../../../src/network/retry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

const signal = new AbortController().signal;

function again(fields: Partial<Attempt<string> & { kind: 'again' }> = {}): Attempt<string> {
  return {
    kind: 'again',
    delayMs: 1000,
    deadlineMs: Number.POSITIVE_INFINITY,
    giveUp: () => 'gave up',
    ...fields,
  };
}

/** Attempts with these outcomes in order, the last one repeatedly. */
function attempts(...outcomes: readonly Attempt<string>[]) {
  const counts: number[] = [];
  const attempt = async (count: number): Promise<Attempt<string>> => {
    counts.push(count);
    return outcomes[count] ?? outcomes.at(-1) ?? again();
  };
  return { attempt, counts };
}

const done: Attempt<string> = { kind: 'done', value: 'done' };

describe('retry', () => {
  it('returns the value of the first attempt that is done', async () => {
    const clock = fakeClock();
    const { attempt, counts } = attempts(again(), again({ delayMs: 2500 }), done);
    await expect(retry(attempt, { clock, signal })).resolves.toBe('done');
    expect(counts).toEqual([0, 1, 2]);
    expect(clock.delaysMs).toEqual([1000, 2500]);
  });

  it('subtracts jitter from the delay, but never from Retry-After', async () => {
    const clock = fakeClock(0.5);
    const { attempt } = attempts(again(), again({ retryAfterMs: 990 }), done);
    await retry(attempt, { clock, signal, jitter: 0.5 });
    expect(clock.delaysMs).toEqual([750, 990]);
  });

  it('gives up at once if a delay would pass the deadline', async () => {
    const clock = fakeClock();
    const { attempt, counts } = attempts(again({ deadlineMs: clock.nowMs() + 999 }));
    await expect(retry(attempt, { clock, signal })).resolves.toBe('gave up');
    expect(counts).toEqual([0]);
    expect(clock.delaysMs).toEqual([]);
  });

  it('throws the error of giveUp', async () => {
    const giveUp = () => {
      throw new RangeError('too late');
    };
    const { attempt } = attempts(again({ deadlineMs: 0, giveUp }));
    await expect(retry(attempt, { clock: fakeClock(), signal })).rejects.toThrow('too late');
  });

  it('makes no attempt after it was cancelled', async () => {
    const cancel = new AbortController();
    const { attempt, counts } = attempts(again());
    const cancelling = async (count: number) => {
      cancel.abort(new RangeError('cancelled'));
      return await attempt(count);
    };
    const options = { clock: fakeClock(), signal: cancel.signal };
    await expect(retry(cancelling, options)).rejects.toThrow('cancelled');
    expect(counts).toEqual([0]);
  });

  it('never starts an attempt after the deadline, for any delays', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ delayMs: fc.double({ min: 0.1, max: 1e5, noNaN: true }) })),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        async (delays, leftMs) => {
          const clock = fakeClock(0.3);
          const deadlineMs = clock.nowMs() + leftMs;
          const attempt = async (count: number): Promise<Attempt<string>> => {
            // A sleep ends a little late.
            expect(clock.nowMs()).toBeLessThanOrEqual(deadlineMs + 1);
            const delay = delays[count];
            return delay === undefined ? done : again({ ...delay, deadlineMs });
          };
          await retry(attempt, { clock, signal, jitter: 0.2 });
        },
      ),
    ));
});

describe('a doubled delay', () => {
  it.each([
    [0, 500],
    [1, 1000],
    [3, 4000],
    [10, 60_000],
    [5000, 60_000],
  ])('after %d retries is %d ms', (retries, delayMs) => {
    expect(backoffMs(500, retries, 60_000)).toBe(delayMs);
  });

  it('grows from 5 s to 60 s, and is 5 s before the first retry', () => {
    const delaysMs = [-1, 0, 1, 2, 3, 4, 49].map((retries) => backoffMs(5_000, retries, 60_000));
    expect(delaysMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('is never shortened if it is longer than the limit', () => {
    expect(backoffMs(300_000, 6, 60_000)).toBe(300_000);
  });
});
