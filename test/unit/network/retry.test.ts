import { describe, expect, it } from 'vitest';
import { type Attempt, backoffMs, readRetryAfter, retry } from '../../../src/network/retry.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';

const signal = new AbortController().signal;

type Again = Attempt<string> & { kind: 'again' };

function again(fields: Partial<Again> = {}): Attempt<string> {
  const deadlineMs = Number.POSITIVE_INFINITY;
  return { kind: 'again', delayMs: 1000, deadlineMs, giveUp: () => 'gave up', ...fields };
}

/** Retries while there are outcomes, and is then done. */
async function run(outcomes: readonly Attempt<string>[], { random = 0, jitter = 0 } = {}) {
  const clock = fakeClock(random);
  const counts: number[] = [];
  const attempt = async (count: number): Promise<Attempt<string>> => {
    counts.push(count);
    return outcomes[count] ?? { kind: 'done', value: 'done' };
  };
  const value = await retry(attempt, { clock, signal, jitter });
  return { value, counts, delaysMs: clock.delaysMs };
}

describe('retry', () => {
  it('returns the value of the first attempt that is done', async () => {
    expect(await run([again(), again({ delayMs: 2500 })])).toEqual({
      value: 'done',
      counts: [0, 1, 2],
      delaysMs: [1000, 2500],
    });
  });

  it('subtracts jitter from the delay, but never from Retry-After, and says how long it waits', async () => {
    const toldMs: number[] = [];
    const onDelay = (delayMs: number) => toldMs.push(delayMs);
    const outcomes = [again({ onDelay }), again({ retryAfterMs: 990 }), again({ retryAfterMs: 9 })];
    const { delaysMs } = await run(outcomes, { random: 0.5, jitter: 0.5 });
    expect([delaysMs, toldMs]).toEqual([[750, 990, 750], [750]]);
  });

  it.each([
    [999, 'gave up', []],
    [1000, 'done', [1000]],
  ])('gives up if the next attempt would start after a deadline in %d ms', async (...expected) => {
    const [leftMs, value, delaysMs] = expected;
    const outcome = again({ deadlineMs: fakeClock().nowMs() + leftMs });
    expect(await run([outcome])).toMatchObject({ value, delaysMs });
  });

  it('measures the deadline after jitter and Retry-After', async () => {
    const deadlineMs = fakeClock().nowMs() + 800;
    const jitter = { random: 0.5, jitter: 0.5 };
    expect((await run([again({ deadlineMs })], jitter)).value).toBe('done');
    expect((await run([again({ deadlineMs, retryAfterMs: 801 })], jitter)).value).toBe('gave up');
  });

  it('makes no attempt after it was cancelled', async () => {
    const cancel = new AbortController();
    const counts: number[] = [];
    const cancelling = async (count: number) => {
      counts.push(count);
      cancel.abort(new RangeError('cancelled'));
      return again({ deadlineMs: 0 });
    };
    const options = { clock: fakeClock(), signal: cancel.signal };
    await expect(retry(cancelling, options)).rejects.toThrow('cancelled');
    expect(counts).toEqual([0]);
  });
});

it('a delay doubles up to a limit, and is never shortened', () => {
  const delaysMs = [-1, 0, 1, 2, 3, 4, 5000].map((retries) => backoffMs(5_000, retries, 60_000));
  expect(delaysMs).toEqual([5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  expect(backoffMs(300_000, 6, 60_000)).toBe(300_000);
});

it.each([
  ['5', 5_000],
  ['0', 0],
  ['999999999999', 999_999_999_999_000],
  ['9999999999999', undefined],
  ['Mon, 05 Jan 2026 08:01:00 GMT', undefined],
  ['-5', undefined],
  ['5.5', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After: %j', (header, waitMs) => {
  expect(readRetryAfter(header)).toBe(waitMs);
});
