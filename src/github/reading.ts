import type { GitHubDeps } from './comment-list.ts';
import {
  failureOf,
  type GitHubRequest,
  isSuccess,
  type RequestFailure,
  sendAgain,
} from './request.ts';

/** The outcome of a reading. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | ({ readonly kind: 'failed' } & RequestFailure);

const timeoutMs = 10_000;

/**
 * Sends a request that changes nothing, and reads its response.
 * @param read returns `undefined` for a response that it cannot read
 */
export async function readWith<Value>(
  read: (body: unknown) => Value | undefined,
  route: string,
  parameters: GitHubRequest['parameters'] & {},
  { session, clock, signal }: GitHubDeps,
): Promise<Reading<Value>> {
  const response = await sendAgain(session, { route, parameters, timeoutMs, signal }, clock);
  const value = isSuccess(response) ? read(response.body) : undefined;
  return value === undefined
    ? { kind: 'failed', ...(await failureOf(response)) }
    : { kind: 'read', value };
}
