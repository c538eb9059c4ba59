import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src/platform/failure.ts';
import {
  countFailure,
  isPermanent,
  succeeded,
  type Tally,
  untried,
} from '../../../src/platform/tally.ts';
import { ActionError } from '../../../src/text/error.ts';

function failure(status: number | undefined, isFromApi = true): Failure {
  return {
    error: new ActionError('unreachable', `failure ${status}`, 'wait'),
    ...(status !== undefined && { status }),
    isFromApi,
    didNothing: false,
  };
}

function hopelessAfter(start: Tally, failures: readonly Failure[]): boolean {
  return isPermanent(failures.reduce(countFailure, start));
}

describe('a row of failed requests', () => {
  it.each([400, 401, 402, 403])(
    'is hopeless with a first response of %d, whoever gave it',
    (status) => {
      expect(hopelessAfter(untried, [failure(status, false)])).toBe(true);
      expect(hopelessAfter(untried, [failure(502), failure(status, false)])).toBe(true);
    },
  );

  it.each([400, 401, 402, 403])('after a success needs two %d from the API itself', (status) => {
    expect(hopelessAfter(succeeded, [failure(status)])).toBe(false);
    expect(hopelessAfter(succeeded, [failure(status), failure(status)])).toBe(true);
    expect(hopelessAfter(succeeded, [failure(status, false), failure(status, false)])).toBe(false);
    expect(hopelessAfter(succeeded, [failure(status), failure(502), failure(status)])).toBe(false);
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
    'takes three %d that cannot be read, before and after a success',
    (status) => {
      const unreadable = failure(status, false);
      for (const start of [untried, succeeded]) {
        expect(hopelessAfter(start, [unreadable, unreadable])).toBe(false);
        expect(hopelessAfter(start, [unreadable, unreadable, unreadable])).toBe(true);
      }
    },
  );

  it('counts unreadable responses across other failures, until a success', () => {
    const [unreadable, broken] = [failure(200, false), failure(undefined)];
    expect(hopelessAfter(untried, [unreadable, broken, unreadable, failure(503)])).toBe(false);
    expect(hopelessAfter(untried, [unreadable, broken, unreadable, failure(503), unreadable])).toBe(
      true,
    );
    // Before the last one, the others can still pass.
    expect(hopelessAfter(untried, [unreadable, unreadable, unreadable, broken])).toBe(false);
    expect(succeeded.unreadable).toBe(0);
  });

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
