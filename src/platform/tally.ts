import type { Failure } from './failure.ts';

/**
 * What a row of requests that read something has shown so far. Reading is repeated as long as
 * waiting can mend what went wrong; both actions do it by the same rules.
 */
export interface Tally {
  readonly hasSucceeded: boolean;
  readonly lastFailure: Failure | undefined;
  readonly failuresInRow: number;
  readonly refusalsInRow: number;
  readonly notFoundInRow: number;
  /** Successes that could not be read, whatever else failed in between. */
  readonly unreadable: number;
}

export const untried: Tally = {
  hasSucceeded: false,
  lastFailure: undefined,
  failuresInRow: 0,
  refusalsInRow: 0,
  notFoundInRow: 0,
  unreadable: 0,
};

export const succeeded: Tally = { ...untried, hasSucceeded: true };

const notFoundLimit = 3;
const refusalLimit = 2;

/** One garbled response can be chance. Three are somebody else's, or those of another API. */
const unreadableLimit = 3;

export function countFailure(before: Tally, failure: Failure): Tally {
  return {
    hasSucceeded: before.hasSucceeded,
    lastFailure: failure,
    failuresInRow: before.failuresInRow + 1,
    refusalsInRow: isOwnRefusal(failure) ? before.refusalsInRow + 1 : 0,
    notFoundInRow: failure.status === 404 ? before.notFoundInRow + 1 : 0,
    unreadable: before.unreadable + (isUnreadable(failure) ? 1 : 0),
  };
}

/**
 * Whether no waiting mends the last failure.
 *
 * A wrong key shows at the first request. Later, a proxy's or a deploying service's stray refusal
 * must not end what went well so far: then only the service's own words count, twice in a row. A
 * good status with something else in it is asked for twice more at most.
 */
export function isHopeless(tally: Tally): boolean {
  const { lastFailure, hasSucceeded, refusalsInRow, notFoundInRow, unreadable } = tally;
  if (lastFailure === undefined) {
    return false;
  }
  if (isUnreadable(lastFailure)) {
    return unreadable >= unreadableLimit;
  }
  return lastFailure.status === 404
    ? notFoundInRow >= notFoundLimit
    : isRefusal(lastFailure) && (!hasSucceeded || refusalsInRow >= refusalLimit);
}

/** What no waiting mends: the request, the key, the plan and its credits, the rights. */
const refusals: readonly (number | undefined)[] = [400, 401, 402, 403];

function isRefusal({ status }: Failure): boolean {
  return refusals.includes(status);
}

function isUnreadable({ status = 0 }: Failure): boolean {
  return status >= 200 && status < 300;
}

function isOwnRefusal(failure: Failure): boolean {
  return isRefusal(failure) && failure.isFromApi;
}
