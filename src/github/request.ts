import type { Endpoints } from '@octokit/types';
import { type RetryClock, retry } from '../network/retry.ts';
import { quoted } from '../text/plain.ts';

/** Parameters of a route, by their names. */
export type Parameters = Readonly<Record<string, string | number | readonly string[]>>;

/** What to ask of GitHub's API. */
export interface Question<Route extends string = string> {
  /** Method and path, such as `GET /repos/{owner}/{repo}`; the names in braces are parameters. */
  readonly route: Route;
  /** `owner/name`, for the parameters `owner` and `repo`. */
  readonly repository?: string;
  /** Fill the path, percent-encoded; the remaining ones become the query or the body. */
  readonly parameters?: Parameters;
  /** One limit for connecting, headers and body together; 10 s by default. */
  readonly timeoutMs?: number;
}

/** One request to GitHub, as a session sends it. */
export interface GitHubRequest {
  readonly route: string;
  readonly parameters?: Parameters;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The outcome of a request. Nothing is thrown: an aborted request has no response. */
export type GitHubResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: unknown;
      /** Set if the request came too early or too often; nobody lacks a permission then. */
      readonly rateLimit?: RateLimit;
    }
  | {
      readonly kind: 'no-response';
      /** `no-address`, `time-out`, the error's own, such as `ECONNREFUSED`, or empty. */
      readonly code: string;
      /** The host of the proxy that the request did not get through. */
      readonly proxy?: string;
      /** Set if the request provably never left this machine. */
      readonly neverLeft?: boolean;
    };

/** What GitHub says of a rate limit. */
export interface RateLimit {
  /** How long to wait; `undefined` if GitHub does not say, or if it takes up to an hour. */
  readonly retryAfterMs: number | undefined;
}

/** GitHub's API, used with one token. */
export interface Session {
  /** The address for GraphQL queries; empty where it has another origin than the API. */
  readonly graphqlUrl: string;
  send(request: GitHubRequest): Promise<GitHubResponse>;
}

/** What requests to GitHub need. */
export interface GitHubDeps {
  readonly session: Session;
  readonly clock: RetryClock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
}

/** What it takes to read from a repository without which the step cannot go on. */
export interface RequiredDeps extends Omit<GitHubDeps, 'session'> {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** `owner/name` */
  readonly repository: string;
}

const defaultTimeoutMs = 10_000;

/** Long enough for a brief failure, short enough for a person who waits. */
const delaysMs = [500, 2000] as const;

/** GitHub's secondary limits ask for a minute. */
const longestRetryAfterMs = 60_000;

/**
 * Sends a request that changes nothing, or the same thing each time, up to three times, until GitHub
 * responds without a fault of its own.
 *
 * @param mayRepeat whether the request may be sent again after such a response
 * @throws the signal's reason when that is aborted during a delay
 */
export function sendAgain(
  question: Question,
  deps: GitHubDeps,
  mayRepeat: (response: GitHubResponse) => boolean = () => true,
): Promise<GitHubResponse> {
  const { session, clock, signal } = deps;
  const { route, repository, parameters, timeoutMs = defaultTimeoutMs } = question;
  const [owner = '', repo = ''] = repository?.split('/') ?? [];
  const all = { ...(repository !== undefined && { owner, repo }), ...parameters };
  return retry<GitHubResponse>(
    async (count) => {
      const response = await session.send({ route, parameters: all, timeoutMs, signal });
      const delayMs = delaysMs[count];
      const isRepeated = isWorthRepeating(response) && mayRepeat(response);
      return delayMs === undefined || !isRepeated || signal.aborted
        ? { kind: 'done', value: response }
        : {
            kind: 'again',
            delayMs,
            retryAfterMs: rateLimitOf(response)?.retryAfterMs,
            deadlineMs: Number.POSITIVE_INFINITY,
            giveUp: () => response,
          };
    },
    { clock, signal },
  );
}

function isWorthRepeating(response: GitHubResponse): boolean {
  const limit = rateLimitOf(response);
  return limit === undefined
    ? isTemporary(response)
    : limit.retryAfterMs !== undefined && limit.retryAfterMs <= longestRetryAfterMs;
}

function rateLimitOf(response: GitHubResponse): RateLimit | undefined {
  return response.kind === 'response' ? response.rateLimit : undefined;
}

/** The outcome of reading something from GitHub. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | ({ readonly kind: 'unread' } & RequestFailure);

/** The body of a response, as GitHub's own client describes it. */
export type BodyOf<Route extends string> = Route extends keyof Endpoints
  ? Endpoints[Route]['response']['data']
  : unknown;

/**
 * Reads the body of a response; `undefined` if it cannot be what was asked for. It takes `unknown`, and a
 * schema, where the response decides who may start a job, or what is paid or merged. Elsewhere it
 * trusts the types of GitHub's own client.
 */
export type Read<Route extends string, Value> = (body: BodyOf<Route>) => Value | undefined;

/**
 * Sends a request that changes nothing, with up to three attempts, and reads its response.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function readResponse<Route extends string, Value>(
  question: Question<Route>,
  deps: GitHubDeps,
  read: Read<Route, Value>,
): Promise<Reading<Value>> {
  const response = await sendAgain(question, deps);
  const value = isSuccess(response) ? readBody(response.body, read) : undefined;
  return value === undefined ? { kind: 'unread', ...failureOf(response) } : { kind: 'read', value };
}

/** What responds in place of GitHub, such as a proxy, has no such fields. */
function readBody<Route extends string, Value>(
  body: unknown,
  read: Read<Route, Value>,
): Value | undefined {
  try {
    return read(body as BodyOf<Route>);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

/** The most that GitHub returns at once. */
export const pageSize = 100;

/**
 * Reads a list, page by page.
 * @param maxPages a longer list counts as unread
 * @throws the signal's reason when that is aborted during a delay
 */
export async function readPages<Route extends string, Item>(
  question: Question<Route>,
  deps: GitHubDeps,
  read: Read<Route, readonly Item[]>,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Reading<readonly Item[]>> {
  const items: Item[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const parameters = { ...question.parameters, per_page: pageSize, page };
    const reading = await readResponse({ ...question, parameters }, deps, read);
    if (reading.kind === 'unread') {
      return reading;
    }
    items.push(...reading.value);
    if (reading.value.length < pageSize) {
      return { kind: 'read', value: items };
    }
  }
  const problem = `the list has more than ${maxPages * pageSize} entries`;
  return { kind: 'unread', problem, isRefusal: false };
}

/**
 * Reads something without which the step cannot go on.
 * @param refuse makes the error without a token
 * @throws the signal's reason when the step has to stop
 */
export async function readRequired<Route extends string, Value>(
  question: Question<Route>,
  { session, repository, clock, signal }: RequiredDeps,
  read: Read<Route, Value>,
  refuse: (problem: string, advice: string) => Error,
): Promise<Reading<Value>> {
  if (session === undefined) {
    throw refuse(
      'github-token is empty',
      "leave the input out, which gives it the workflow's own token",
    );
  }
  const reading = await readResponse({ ...question, repository }, { session, clock, signal }, read);
  signal.throwIfAborted();
  return reading;
}

/** Why a request failed, for the log. */
export interface RequestFailure {
  /** A main clause. */
  readonly problem: string;
  /** Whether GitHub itself refused the request; another token or permission may help. */
  readonly isRefusal: boolean;
  /** `undefined` without a response. */
  readonly status?: number;
  /** Whether the same request may succeed later; missing if that is not known. */
  readonly isTemporary?: boolean;
}

/**
 * Why requests that are optional were given up. A delay that is aborted throws. Any other error is a bug, but
 * not a reason to fail the step.
 * @param signal that ends the requests
 */
export function failureOfError(error: unknown, signal: AbortSignal): RequestFailure {
  const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
  return { problem, isRefusal: false };
}

export function failureOf(response: GitHubResponse): RequestFailure {
  const status = response.kind === 'response' ? { status: response.status } : {};
  return {
    problem: describeResponse(response),
    isRefusal: isRefusal(response),
    isTemporary: isTemporary(response),
    ...status,
  };
}

/** Whether the same request may succeed later. */
function isTemporary(response: GitHubResponse): boolean {
  return response.kind === 'no-response'
    ? response.code !== 'no-address'
    : response.status >= 500 || response.rateLimit !== undefined;
}

/** Whether a request that was not confirmed may have had its effect all the same. */
export function mayHaveHappened(response: GitHubResponse): boolean {
  return response.kind === 'no-response'
    ? response.neverLeft !== true
    : response.status >= 500 || isSuccess(response);
}

export function isSuccess(
  response: GitHubResponse,
): response is GitHubResponse & { kind: 'response' } {
  return response.kind === 'response' && isSuccessStatus(response.status);
}

/** Whether GitHub did what was asked. If the request failed all the same, its response was unreadable. */
export function isSuccessStatus(status = 0): boolean {
  return status >= 200 && status < 300;
}

function isRefusal(response: GitHubResponse): boolean {
  return (
    response.kind === 'response' &&
    response.status >= 400 &&
    response.status < 500 &&
    response.rateLimit === undefined &&
    !isForeign(response)
  );
}

/** Whether a proxy or a firewall sent the response: GitHub refuses a request with JSON. */
function isForeign({ status, body }: GitHubResponse & { readonly kind: 'response' }): boolean {
  return status >= 400 && status < 500 && typeof body === 'string' && body !== '';
}

/** Says what came of a request that failed, as a main clause. */
export function describeResponse(response: GitHubResponse): string {
  if (response.kind === 'no-response') {
    return describeSilence(response);
  }
  const { status, body } = response;
  if (isSuccess(response)) {
    return `GitHub responded with ${status}, but in a form that this action cannot read`;
  }
  if (isForeign(response)) {
    const text = /^\s*</.test(String(body)) ? 'a web page' : 'plain text';
    return `something in front of GitHub responded with ${status} and ${text}`;
  }
  const message = messageIn(body);
  return `GitHub responded with ${status}${message === '' ? '' : ` (${quoted(message)})`}`;
}

function describeSilence({
  code,
  proxy,
}: GitHubResponse & { readonly kind: 'no-response' }): string {
  const detail = code === '' ? '' : ` (${code})`;
  if (proxy !== undefined) {
    return `GitHub could not be reached through the proxy at ${proxy}${detail}`;
  }
  switch (code) {
    case 'no-address':
      return 'the variable GITHUB_API_URL holds no URL';
    case 'time-out':
      return 'GitHub did not respond in time';
    default:
      return `GitHub did not respond${detail}`;
  }
}

/** GitHub's own message in the body of a refusal; empty for any other body. */
export function messageIn(body: unknown): string {
  const message: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : undefined;
  return typeof message === 'string' ? message : '';
}
