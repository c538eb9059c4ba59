import type { Failure } from './failure.ts';

/**
 * The outcomes of consecutive GETs. From them, both actions decide by the same rules whether another GET
 * can help.
 */
export interface Tally {
  readonly hasSucceeded: boolean;
  readonly lastFailure: Failure | undefined;
  readonly failuresInRow: number;
  readonly refusalsInRow: number;
  readonly notFoundInRow: number;
  /** Successes with an unreadable body, counted even if other failures came between them. */
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

/** One unreadable response can be a glitch. After three, something other than the API is responding. */
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
 * Whether the last failure is one that retrying cannot fix.
 *
 * Before the first success, any refusal is permanent, because a wrong key fails at once. Later, a proxy
 * or a deploy of the API can cause a stray refusal, so only the API's own errors count, and only two in
 * a row. After an unreadable success there are at most two more attempts.
 */
export function isPermanent(tally: Tally): boolean {
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

/** Problems that retrying cannot fix: the request, the key, the plan, the credits, the permissions. */
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
