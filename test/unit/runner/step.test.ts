import { describe, expect, it } from 'vitest';
import { rejectAfterUncaughtError } from '../../../src/runner/step.ts';
import { CancelledError } from '../../../src/text/error.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

const soon = () => new Promise((resolve) => setImmediate(() => resolve('still going on')));

describe('the grace after an error that nothing caught', () => {
  it('gives a running action a moment to stop, but not longer', async () => {
    const runner = fakeRunner();
    let wake = () => {};
    const delaysMs: number[] = [];
    const clock = {
      ...runner.clock,
      sleep(durationMs: number) {
        delaysMs.push(durationMs);
        return new Promise<void>((resolve) => {
          wake = resolve;
        });
      },
    };
    const grace = rejectAfterUncaughtError({ ...runner, clock });
    const first = new TypeError('first');
    runner.stop(first);
    await expect(Promise.race([grace, soon()])).resolves.toBe('still going on');
    wake();
    await expect(grace).rejects.toBe(first);
    expect(delaysMs).toEqual([1000]);
  });

  it('does not apply to a cancelled run, which ends by itself', async () => {
    const runner = fakeRunner();
    const grace = rejectAfterUncaughtError(runner);
    runner.stop(new CancelledError('received SIGINT'));
    await expect(Promise.race([grace, soon()])).resolves.toBe('still going on');
    expect(runner.clock.delaysMs).toEqual([]);
  });
});
