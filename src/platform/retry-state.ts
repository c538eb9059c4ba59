import type { Failure } from './failure.ts';

/** What the last GETs came to. The polls and the export of visitors decide by it whether to ask again. */
export interface RetryState {
  readonly hasSucceeded: boolean;
  readonly lastFailure: Failure | undefined;
  readonly failuresInRow: number;
  /** How many of the last failures in a row were of a kind that waiting does not mend. */
  readonly lastingInRow: number;
}

export const untried: RetryState = {
  hasSucceeded: false,
  lastFailure: undefined,
  failuresInRow: 0,
  lastingInRow: 0,
};

export const succeeded: RetryState = { ...untried, hasSucceeded: true };

/** One or two lasting failures can be a glitch of a proxy, or of a deploy of the API. Three in a row are no glitch. */
const lastingLimit = 3;

export function countFailure(before: RetryState, failure: Failure): RetryState {
  return {
    hasSucceeded: before.hasSucceeded,
    lastFailure: failure,
    failuresInRow: before.failuresInRow + 1,
    lastingInRow: mayPass(failure, before) ? 0 : before.lastingInRow + 1,
  };
}

/**
 * Whether the last failure is one that retrying cannot fix.
 *
 * Before the first success, a single refusal is permanent, so that a wrong key fails at once. A job or a
 * project that is not found, and a success that cannot be read, get further attempts.
 */
export function isPermanent(retryState: RetryState): boolean {
  const { lastFailure, hasSucceeded, lastingInRow } = retryState;
  if (lastFailure === undefined || mayPass(lastFailure, retryState)) {
    return false;
  }
  const { status = 0 } = lastFailure;
  const isRefusal = status >= 300 && status !== 404;
  return lastingInRow >= (isRefusal && !hasSucceeded ? 1 : lastingLimit);
}

/**
 * Whether waiting can mend a failure: no response, a server's own fault, or a request that came too early. A success
 * that cannot be read counts, too, if the API has answered before, which proves that base-url is right.
 */
function mayPass({ status }: Failure, { hasSucceeded }: RetryState): boolean {
  return (
    status === undefined ||
    status >= 500 ||
    [408, 425, 429].includes(status) ||
    (status < 300 && hasSucceeded)
  );
}
