import { describe, expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../../src/runner/clock.ts';

const never = new AbortController().signal;

describe('a sleep on the real clock', () => {
  it.each([0.2, 1, 7.7])('of %d ms lasts no less', async (durationMs) => {
    const sinceMs = realClock.nowMs();
    await realClock.sleep(durationMs, never);
    expect(realClock.nowMs() - sinceMs).toBeGreaterThanOrEqual(durationMs);
  });

  it.each([0, -1, Number.NEGATIVE_INFINITY])(
    'of %d ms is over at once, but not for whoever is cancelled',
    async (durationMs) => {
      await realClock.sleep(durationMs, never);
      const cancelled = AbortSignal.abort(new Error('received SIGINT'));
      await expect(realClock.sleep(durationMs, cancelled)).rejects.toThrow('received SIGINT');
    },
  );

  it.each([2 ** 31, 2 ** 32, 1e15, Number.POSITIVE_INFINITY])(
    'of %d ms is longer than a timer of Node, but no row of sleepless moments',
    async (durationMs) => {
      const warnings: string[] = [];
      const note = ({ name }: Error): void => void warnings.push(name);
      process.on('warning', note);
      onTestFinished(() => void process.off('warning', note));
      const cancel = new AbortController();
      const asleep = realClock.sleep(durationMs, cancel.signal);
      await realClock.sleep(20, never);
      cancel.abort(new Error('received SIGINT'));
      await expect(asleep).rejects.toThrow('received SIGINT');
      expect(warnings).toEqual([]);
    },
  );

  it('of no number is refused, before a loop runs hot', async () => {
    await expect(realClock.sleep(Number.NaN, never)).rejects.toThrow(RangeError);
  });
});
