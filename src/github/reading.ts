import type { RetryClock } from '../network/retry.ts';
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

/** What requests to GitHub need. */
export interface GitHubDeps {
  readonly session: Session;
  readonly clock: RetryClock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
}

/** A repository, and what it takes to read from it. */
export interface RepositoryDeps extends GitHubDeps {
  /** `owner/name` */
  readonly repository: string;
  /** The address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
}

/** The outcome of reading something from GitHub. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | ({ readonly kind: 'unread' } & RequestFailure);

/** `undefined` for a body that is something else. A schema that it loads first does not delay the request. */
type Read<Value> = (body: unknown) => Value | undefined | Promise<Value | undefined>;

type Parameters = NonNullable<GitHubRequest['parameters']>;

const timeoutMs = 10_000;

/** GitHub takes several seconds for the tree of a large repository. */
const repositoryTimeoutMs = 20_000;

/** The most that GitHub returns at once. */
const pageSize = 100;

/**
 * Sends a request that changes nothing, with up to three attempts, and reads its response.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function readWith<Value>(
  read: Read<Value>,
  route: string,
  parameters: Parameters,
  { session, clock, signal }: GitHubDeps,
  limitMs = timeoutMs,
): Promise<Reading<Value>> {
  const request = { route, parameters, timeoutMs: limitMs, signal };
  const response = await sendAgain(session, request, clock);
  const value = isSuccess(response) ? await read(response.body) : undefined;
  return value === undefined ? { kind: 'unread', ...failureOf(response) } : { kind: 'read', value };
}

/**
 * Reads a list of the route, page by page.
 * @param mostPages a longer list counts as unread
 */
export async function readPages<Item>(
  read: Read<readonly Item[]>,
  route: string,
  parameters: Parameters,
  deps: GitHubDeps,
  mostPages = Number.POSITIVE_INFINITY,
): Promise<Reading<readonly Item[]>> {
  const items: Item[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const onPage = { ...parameters, per_page: pageSize, page };
    const reading = await readWith(read, route, onPage, deps);
    if (reading.kind === 'unread') {
      return reading;
    }
    items.push(...reading.value);
    if (reading.value.length < pageSize) {
      return { kind: 'read', value: items };
    }
  }
  const problem = `the list has more than ${mostPages * pageSize} entries`;
  return { kind: 'unread', problem, isRefusal: false };
}

/**
 * Reads something of a repository, with up to three attempts.
 * @param route below the repository, such as `pulls/{number}`
 * @throws the signal's reason if the run is cancelled
 */
export async function readFrom<Value>(
  deps: RepositoryDeps,
  route: string,
  parameters: Parameters,
  read: Read<Value>,
): Promise<Reading<Value>> {
  const all = { ...repositoryParameters(deps.repository), ...parameters };
  const path = `GET /repos/{owner}/{repo}/${route}`;
  const reading = await readWith(read, path, all, deps, repositoryTimeoutMs);
  deps.signal.throwIfAborted();
  return reading;
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
 * @param refuse makes the error without a token
 * @throws the signal's reason when the step has to stop
 */
export async function ask(
  { parameters, ...request }: Omit<GitHubRequest, 'signal'>,
  refuse: (problem: string, advice: string) => Error,
  { session, repository, clock, signal }: RequiredDeps,
): Promise<GitHubResponse> {
  if (session === undefined) {
    throw refuse(
      'github-token is empty',
      "leave the input out, which gives it the workflow's own token",
    );
  }
  const all = { ...repositoryParameters(repository), ...parameters };
  const response = await sendAgain(session, { ...request, parameters: all, signal }, clock);
  signal.throwIfAborted();
  return response;
}
