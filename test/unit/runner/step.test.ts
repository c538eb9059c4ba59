import { describe, expect, it } from 'vitest';
import { rejectAfterUncaughtError, runStep } from '../../../src/runner/step.ts';
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

describe('a step', () => {
  const conclusion = {
    writeOutputs() {},
    level: 'notice',
    message: 'All is well.',
    summary: 'Well.',
  } as const;
  const action = {
    run: async () => 'done',
    resultOf: String,
    conclude: () => conclusion,
  };

  it('writes its outputs first, and its last sentence after all that takes time', async () => {
    const runner = fakeRunner();
    await runStep(runner, {
      ...action,
      conclude: (result) => ({
        ...conclusion,
        writeOutputs: () => runner.setOutput('result', result),
        async afterwards() {
          runner.log.info('and the rest');
          throw new Error('too late');
        },
      }),
    });
    const [output, summary, rest, mistake, ...others] = runner.told;
    expect([output, summary, rest]).toEqual([
      'result=done',
      'summary: Well.',
      'info: and the rest',
    ]);
    expect(mistake).toMatch(/^debug: .*too late/);
    expect(others).toEqual(['notice: All is well.']);
  });

  it('turns an error into a result', async () => {
    const runner = fakeRunner();
    await runStep(runner, {
      ...action,
      run: () => Promise.reject(new TypeError('no such thing')),
      conclude: (result) => ({ ...conclusion, level: 'failure', message: result }),
    });
    expect(runner.told).toEqual(['summary: Well.', 'failure: TypeError: no such thing']);
  });

  it('fails with a result if even its conclusion fails', async () => {
    const runner = fakeRunner();
    await runStep(runner, {
      ...action,
      conclude() {
        throw new TypeError('no end');
      },
    });
    const message =
      'This action hit an internal error while it was ending: check the outputs and the log to see how far it got, and report what the log says with debug logging enabled.';
    const [mistake, ...others] = runner.told;
    expect(mistake).toMatch(/^debug: The step could not be concluded: .*no end/);
    expect(others).toEqual([
      'result=error',
      'reason=internal-error',
      `message=${message}`,
      'summary: ',
      `failure: ${message}`,
    ]);
  });

  it('ends its process only if it was stopped', async () => {
    const runner = fakeRunner();
    runner.stop(new CancelledError('received SIGINT'));
    await runStep(runner, action);
    expect(runner.told.slice(-2)).toEqual(['notice: All is well.', 'exit']);
  });
});
