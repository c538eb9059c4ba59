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

function failure(status: number | undefined): Failure {
  return {
    error: new ActionError('unreachable', `failure ${status}`, 'wait'),
    ...(status !== undefined && { status }),
    isFromApi: true,
    didNothing: false,
  };
}

function isHopeless(start: RetryState, ...statuses: readonly (number | undefined)[]): boolean {
  return isPermanent(statuses.map(failure).reduce(countFailure, start));
}

describe('a row of failed requests', () => {
  it('is not hopeless before any has failed', () => {
    expect([untried, succeeded].map((start) => isHopeless(start))).toEqual([false, false]);
  });

  it.each([300, 302, 400, 401, 403, 405, 409, 422])('is hopeless at a first %d', (status) => {
    expect(isHopeless(untried, status)).toBe(true);
    expect(isHopeless(untried, 502, status)).toBe(true);
  });

  it.each([
    [succeeded, 401, 502],
    [untried, 404, 500],
    [succeeded, 404, undefined],
    [untried, 200, 429],
    [untried, 299, 503],
  ])('%j needs three of %d, without a %d in between', (start, status, passing) => {
    expect(isHopeless(start, status, status)).toBe(false);
    expect(isHopeless(start, status, status, status)).toBe(true);
    expect(isHopeless(start, status, status, passing, status)).toBe(false);
  });

  it.each([
    [untried, undefined],
    [untried, 408],
    [untried, 425],
    [untried, 429],
    [untried, 500],
    [succeeded, 200],
    [succeeded, 299],
  ])('%j is never hopeless for %s', (start, status) => {
    expect(isHopeless(start, ...Array(50).fill(status))).toBe(false);
  });

  it('is counted', () => {
    const [first, second] = [failure(500), failure(404)];
    expect([first, second].reduce(countFailure, succeeded)).toEqual({
      hasSucceeded: true,
      lastFailure: second,
      failuresInRow: 2,
      lastingInRow: 1,
    });
  });
});
