import { describe, expect, it } from 'vitest';
import { ForbiddenError } from '../../../src/platform/errors.ts';
import { CancelledError } from '../../../src/runner/errors.ts';
import { resultOfError } from '../../../src/visitors/result.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

const refused = new ForbiddenError('it said no', 'ask');
const mistake = new TypeError('a secret detail');

function resultOf(error: unknown, stoppedBy?: unknown) {
  const runner = fakeRunner();
  if (stoppedBy !== undefined) {
    runner.stop(stoppedBy);
  }
  return resultOfError(error, runner);
}

describe('the result of an error', () => {
  it.each([
    ['is the error in its own words', refused, undefined, { reason: 'forbidden' }],
    [
      'is a mistake of ours where nobody foresaw it',
      mistake,
      undefined,
      { errorName: 'TypeError' },
    ],
    ['is the one that nothing caught', refused, mistake, { reason: 'internal-error' }],
  ])('%s', (_name, error, stoppedBy, result) => {
    expect(resultOf(error, stoppedBy)).toMatchObject({ result: 'error', ...result });
  });

  it('of a cancelled run is "cancelled" for every error', () => {
    const cancelled = new CancelledError('received SIGINT');
    for (const error of [refused, mistake, cancelled]) {
      expect(resultOf(error, cancelled)).toEqual({ result: 'cancelled' });
    }
  });
});
