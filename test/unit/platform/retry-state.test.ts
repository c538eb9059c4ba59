import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src/platform/failure.ts';
import {
  countFailure,
  isPermanent,
  type RetryState,
  succeeded,
  untried,
} from '../../../src/platform/retry-state.ts';
import { ActionError } from '../../../src/text/error.ts';

function failure(status: number | undefined, isFromApi = true): Failure {
  return {
    error: new ActionError('unreachable', `failure ${status}`, 'wait'),
    ...(status !== undefined && { status }),
    isFromApi,
    didNothing: false,
  };
}

function hopelessAfter(start: RetryState, failures: readonly Failure[]): boolean {
  return isPermanent(failures.reduce(countFailure, start));
}

describe('a row of failed requests', () => {
  const refusals = [301, 302, 308, 400, 401, 402, 403, 405, 407, 410, 422];

  it.each(refusals)('is hopeless with a first response of %d, whoever gave it', (status) => {
    expect(hopelessAfter(untried, [failure(status, false)])).toBe(true);
    expect(hopelessAfter(untried, [failure(502), failure(status, false)])).toBe(true);
  });

  it.each(refusals)('after a success needs three %d', (status) => {
    const refusal = failure(status);
    expect(hopelessAfter(succeeded, [refusal, refusal])).toBe(false);
    expect(hopelessAfter(succeeded, [refusal, refusal, refusal])).toBe(true);
    expect(hopelessAfter(succeeded, [refusal, refusal, failure(502), refusal])).toBe(false);
  });

  it('is not hopeless before any has failed', () => {
    expect(hopelessAfter(untried, [])).toBe(false);
  });

  it('needs three 404 in a row, before and after a success', () => {
    for (const start of [untried, succeeded]) {
      expect(hopelessAfter(start, [failure(404), failure(404)])).toBe(false);
      expect(hopelessAfter(start, [failure(404), failure(404), failure(404)])).toBe(true);
      expect(hopelessAfter(start, [failure(404), failure(404), failure(500), failure(404)])).toBe(
        false,
      );
    }
  });

  it.each([200, 201, 299])(
    'takes three %d that cannot be read before a success, and after it none is hopeless',
    (status) => {
      const three = Array.from({ length: 3 }, () => failure(status, false));
      expect(hopelessAfter(untried, three.slice(1))).toBe(false);
      expect(hopelessAfter(untried, three)).toBe(true);
      expect(hopelessAfter(succeeded, three)).toBe(false);
    },
  );

  it('is not permanent before the first failure', () => {
    expect([untried, succeeded].map(isPermanent)).toEqual([false, false]);
  });

  it.each([undefined, 408, 425, 429, 500, 503])('is never hopeless for %s', (status) => {
    expect(
      hopelessAfter(
        untried,
        Array.from({ length: 50 }, () => failure(status)),
      ),
    ).toBe(false);
  });
});
