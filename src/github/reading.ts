import type { GitHubDeps } from './comment-list.ts';
import {
  failureOf,
  type GitHubRequest,
  type GitHubResponse,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  type Session,
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

/** What a step needs that cannot go on without a response. */
export interface RequiredDeps extends Omit<GitHubDeps, 'session'> {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** `owner/name` */
  readonly repository: string;
}

/**
 * Asks something about a repository.
 * @param Refusal the error without a token; its message begins with what cannot be done
 * @throws the signal's reason when the step has to stop
 */
export async function ask(
  { parameters, ...request }: Omit<GitHubRequest, 'signal'>,
  Refusal: new (problem: string, advice: string) => Error,
  { session, repository, clock, signal }: RequiredDeps,
): Promise<GitHubResponse> {
  if (session === undefined) {
    throw new Refusal(
      'github-token is empty',
      "leave the input out, which gives it the workflow's own token",
    );
  }
  const all = { ...repositoryParameters(repository), ...parameters };
  const response = await sendAgain(session, { ...request, parameters: all, signal }, clock);
  signal.throwIfAborted();
  return response;
}
