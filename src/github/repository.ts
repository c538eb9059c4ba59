import type { RetryClock } from '../network/retry.ts';
import {
  failureOf,
  type GitHubRequest,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  type Session,
  sendAgain,
} from './request.ts';

/** A repository, and what it takes to read from it. */
export interface RepositoryDeps {
  readonly session: Session;
  /** `owner/name` */
  readonly repository: string;
  /** The address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  readonly clock: RetryClock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
}

/** The outcome of reading something from GitHub. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | ({ readonly kind: 'unread' } & RequestFailure);

/** GitHub takes several seconds for the tree of a large repository. */
const timeoutMs = 20_000;

/**
 * Reads something of a repository, with up to three attempts.
 *
 * @param route below the repository, such as `pulls/{number}`
 * @param read parses the body; `undefined` if it is something else. It can load its schema first, which
 * then does not delay the request.
 * @throws the signal's reason if the run is cancelled
 */
export async function readFrom<Value>(
  { session, repository, clock, signal }: RepositoryDeps,
  route: string,
  parameters: NonNullable<GitHubRequest['parameters']>,
  read: (body: unknown) => Value | undefined | Promise<Value | undefined>,
): Promise<Reading<Value>> {
  const request = {
    route: `GET /repos/{owner}/{repo}/${route}`,
    parameters: { ...repositoryParameters(repository), ...parameters },
    timeoutMs,
    signal,
  };
  const response = await sendAgain(session, request, clock);
  signal.throwIfAborted();
  const value = isSuccess(response) ? await read(response.body) : undefined;
  return value === undefined
    ? { kind: 'unread', ...(await failureOf(response)) }
    : { kind: 'read', value };
}
