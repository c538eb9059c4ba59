import { pullRequestError } from '../../github/errors.ts';
import type { Reading, RequestFailure, Session } from '../../github/request.ts';
import { nameOf, type Target } from '../target.ts';

/** Which pull request, and whose token reads it. */
export interface RequiredPlace {
  readonly target: Target;
  /** Whether it belongs to this workflow's repository. */
  readonly isOwn: boolean;
}

/**
 * The value of a reading without which nothing can be judged.
 * @param what what was asked for, such as `its files`
 * @param permission what it takes, such as `contents: read`
 * @throws ActionError
 */
export function required<Value>(
  reading: Reading<Value>,
  what: string,
  permission: string,
  place: RequiredPlace,
): Value {
  if (reading.kind === 'read') {
    return reading.value;
  }
  const problem = `${reading.problem} when asked for ${what}`;
  throw unreadable(problem, adviceOn(reading, permission, place), place);
}

/** Why something could not be read that is not needed for the rest, with the permission that it takes. */
export function problemWithAdvice(
  { problem, isRefusal }: Pick<RequestFailure, 'problem' | 'isRefusal'>,
  permission: string,
): string {
  return isRefusal ? `${problem}; the token needs the permission "${permission}"` : problem;
}

/** @throws ActionError without a token */
export function requireToken(session: Session | undefined, place: RequiredPlace): Session {
  if (session === undefined) {
    // An empty string in `with:` keeps GitHub from filling in the default.
    const advice = place.isOwn
      ? "leave the input out, which gives it the workflow's own token"
      : grant('pull-requests: read', place);
    throw unreadable(`${inputOf(place)} is empty`, advice, place);
  }
  return session;
}

function unreadable(problem: string, advice: string, { target }: RequiredPlace) {
  return pullRequestError(nameOf(target), problem, advice);
}

function adviceOn(
  { status, isRefusal }: RequestFailure,
  permission: string,
  place: RequiredPlace,
): string {
  switch (status) {
    case 401:
      return `check that ${inputOf(place)} is complete and has not expired`;
    case 404:
      return `check that it exists, and ${grant(permission, place)}`;
    case 429:
      return 're-run the workflow later';
    default:
      return isRefusal ? grant(permission, place) : 're-run the workflow later';
  }
}

function grant(permission: string, { target, isOwn }: RequiredPlace): string {
  return isOwn
    ? `give github-token the permission "${permission}"`
    : `give docs-token a token that may read ${target.repository} ("${permission}")`;
}

function inputOf({ isOwn }: RequiredPlace): string {
  return isOwn ? 'github-token' : 'docs-token';
}
