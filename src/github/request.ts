import { type RetryClock, retry } from '../network/retry.ts';
import { quoted } from '../text/plain.ts';

/** One request to GitHub. */
export interface GitHubRequest {
  /** Method and path, such as `GET /repos/{owner}/{repo}`; the names in braces are parameters. */
  readonly route: string;
  /** Fill the path, percent-encoded; the remaining ones become the query or the body. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>;
  /** One limit for connecting, headers and body together. */
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
  /** `code` is `no-address`, `time-out`, the error's own, such as `ECONNREFUSED`, or empty. */
  | { readonly kind: 'no-response'; readonly code: string };

/** What GitHub says of a rate limit. */
export interface RateLimit {
  /** How long to wait; `undefined` if GitHub does not say, or if it takes up to an hour. */
  readonly retryAfterMs: number | undefined;
}

/** GitHub's API, used with one token. */
export interface Session {
  send(request: GitHubRequest): Promise<GitHubResponse>;
}

/** Long enough for a brief failure, short enough for a person who waits. */
const delaysMs = [500, 2000] as const;

/** GitHub's secondary limits ask for a minute. */
const longestRetryAfterMs = 60_000;

/**
 * Sends a request that changes nothing, or the same thing each time, up to three times, until GitHub
 * responds without a fault of its own.
 *
 * @throws the reason of the request's signal when that is aborted during a delay
 */
export function sendAgain(
  session: Session,
  request: GitHubRequest,
  clock: RetryClock,
): Promise<GitHubResponse> {
  const { signal } = request;
  return retry<GitHubResponse>(
    async (count) => {
      const response = await session.send(request);
      const delayMs = delaysMs[count];
      return delayMs === undefined || !isWorthRepeating(response) || signal.aborted
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

/** Whether the same request may succeed later. */
export function isTemporary(response: GitHubResponse): boolean {
  return response.kind === 'no-response'
    ? response.code !== 'no-address'
    : response.status >= 500 || response.rateLimit !== undefined;
}

export function isSuccess(
  response: GitHubResponse,
): response is GitHubResponse & { kind: 'response' } {
  return response.kind === 'response' && response.status >= 200 && response.status < 300;
}

/** Why a request failed, for the log. */
export interface RequestFailure {
  /** A main clause. */
  readonly problem: string;
  /** Whether GitHub refused the request; another token or permission may help. */
  readonly isRefusal: boolean;
  /** `undefined` without a response. */
  readonly status?: number;
}

export function failureOf(response: GitHubResponse): RequestFailure {
  const status = response.kind === 'response' ? { status: response.status } : {};
  return { problem: describeResponse(response), isRefusal: isRefusal(response), ...status };
}

export function isRefusal(response: GitHubResponse): boolean {
  return (
    response.kind === 'response' &&
    response.status >= 400 &&
    response.status < 500 &&
    response.rateLimit === undefined
  );
}

export function describeResponse(response: GitHubResponse): string {
  if (isSuccess(response)) {
    return `GitHub responded with ${response.status}, but in a form that this action cannot read`;
  }
  if (response.kind === 'response') {
    const message = messageIn(response.body);
    return `GitHub responded with ${response.status}${message === '' ? '' : ` (${quoted(message)})`}`;
  }
  switch (response.code) {
    case 'no-address':
      return 'the variable GITHUB_API_URL holds no URL';
    case 'time-out':
      return 'GitHub did not respond in time';
    case '':
      return 'GitHub did not respond';
    default:
      return `GitHub did not respond (${response.code})`;
  }
}

/** GitHub's own message in the body of a refusal; empty for any other body. */
export function messageIn(body: unknown): string {
  const message: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : undefined;
  return typeof message === 'string' ? message : '';
}

/** The parameters of a route that stand for `owner/name`. */
export function repositoryParameters(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
