import type { getOctokit } from '@actions/github';
import { type InferOutput, number, object, optional, string, unknown } from 'valibot';
import { type RetryClock, readRetryAfter, retry } from '../network/retry.ts';
import { CancelledError } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';

export type Octokit = ReturnType<typeof getOctokit>;

/** GitHub's API, used with one token. */
export interface Session {
  /**
   * Makes an Octokit whose requests have these limits.
   * @throws RequestFailedError if no request can be made
   */
  open(limits: RequestLimits): Promise<Octokit>;
}

export interface RequestLimits {
  /** One limit for connecting, headers and body together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

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
}

/** The outcome of asking GitHub for something. */
export type Outcome<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | ({ readonly kind: 'failed' } & RequestFailure);

/** Why a request failed, for the log. */
export interface RequestFailure {
  /** What went wrong, as a main clause. */
  readonly problem: string;
  /** What to do about the problem; missing if that depends on what was asked for. */
  readonly advice?: string;
  /** Whether GitHub itself refused the request; another token or permission may help. */
  readonly isRefusal: boolean;
  /** Whether GitHub said that the token lacks the permission. */
  readonly isMissingPermission?: boolean;
  /** `undefined` without a response. */
  readonly status?: number;
  /** Whether the request may have had its effect all the same. */
  readonly mayHaveHappened?: boolean;
  /**
   * How long to wait before the same request is sent again: infinite if GitHub asks to wait, but does not say how long;
   * missing if waiting does not help.
   */
  readonly retryAfterMs?: number;
}

/** Thrown if there is no response that Octokit can read. */
export class RequestFailedError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.problem);
    this.failure = failure;
  }
}

/** The response that a method of Octokit resolves to. */
interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly headers?: { readonly link?: string | undefined };
}

/** Calls a method of Octokit. */
export type Call<Data> = (octokit: Octokit) => Promise<Answer<Data>>;

/**
 * Reads what a method of Octokit returns; `undefined` if that cannot be what was asked for. A response that decides
 * who may start a job, or what is paid or merged, is read as `unknown` with a schema. For other responses, the types
 * of Octokit are trusted.
 */
export type Read<Data, Value> = (data: Data) => Value | undefined;

interface AskOptions {
  /** The limit of each request; 10 s by default. */
  readonly timeoutMs?: number;
  /** Whether a second request would have a second effect: it is then sent only if the first had no effect. */
  readonly isOnce?: boolean;
}

/** The delays before the second and third attempt: enough for a brief failure, and short for a person who waits. */
const delaysMs = [500, 2000] as const;

/** GitHub's secondary limits ask for a minute. */
const longestRetryAfterMs = 60_000;

/**
 * Asks GitHub for something, up to three times, until it responds without a fault of its own.
 * @throws CancelledError
 * @throws the signal's reason when that is aborted during a delay
 */
export async function ask<Data, Value>(
  { session, clock, signal }: GitHubDeps,
  call: Call<Data>,
  read: Read<Data, Value>,
  { timeoutMs = 10_000, isOnce = false }: AskOptions = {},
): Promise<Outcome<Value>> {
  return await retry<Outcome<Value>>(
    async (count) => {
      const outcome = await attempt(() => session.open({ timeoutMs, signal }).then(call), read);
      const delayMs = delaysMs[count];
      if (outcome.kind === 'failed' && signal.reason instanceof CancelledError) {
        throw signal.reason;
      }
      const isFinal = outcome.kind === 'ok' || (isOnce && outcome.mayHaveHappened === true);
      const retryAfterMs = isFinal ? undefined : outcome.retryAfterMs;
      const mayRepeat = retryAfterMs !== undefined && retryAfterMs <= longestRetryAfterMs;
      return delayMs === undefined || !mayRepeat || signal.aborted
        ? { kind: 'done', value: outcome }
        : {
            kind: 'again',
            delayMs,
            retryAfterMs,
            deadlineMs: Number.POSITIVE_INFINITY,
            giveUp: () => outcome,
          };
    },
    { clock, signal },
  );
}

async function attempt<Data, Value>(
  call: () => Promise<Answer<Data>>,
  read: Read<Data, Value>,
): Promise<Outcome<Value>> {
  try {
    const { status, data } = await call();
    const value = readData(data, read);
    if (value !== undefined) {
      return { kind: 'ok', value };
    }
    const problem = `GitHub responded with ${status}, but in a form that this action cannot read`;
    const advice = 'check whether a proxy responds instead of GitHub';
    return { kind: 'failed', problem, advice, isRefusal: false, status };
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
}

/** Reads the data. What a proxy sends in place of GitHub may lack the fields that `read` takes for granted. */
function readData<Data, Value>(data: Data, read: Read<Data, Value>): Value | undefined {
  try {
    return read(data);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

/** Octokit's `RequestError`, where there was a response. */
const requestErrorSchema = object({
  status: number(),
  response: object({
    headers: object({
      'retry-after': optional(string(), ''),
      'x-ratelimit-remaining': optional(string(), ''),
    }),
    data: unknown(),
  }),
});

const messageSchema = object({ message: string() });

/** @throws any error that is not about a request, without the error that Octokit wrapped around it */
function failureOf(thrown: unknown): RequestFailure {
  const isOctokits = thrown instanceof Error && thrown.name === 'HttpError';
  const error = isOctokits ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof RequestFailedError) {
    return error.failure;
  }
  const refused = parse(requestErrorSchema, error);
  if (refused === undefined) {
    throw error;
  }
  const { status, response } = refused;
  const message = parse(messageSchema, response.data)?.message ?? '';
  const problem = `GitHub responded with ${status}${message === '' ? '' : ` (${quoted(message)})`}`;
  return status >= 500
    ? { problem, isRefusal: false, status, mayHaveHappened: true, retryAfterMs: 0 }
    : { problem, status, ...refusalOf(refused, message) };
}

/** The advice if something else than GitHub's API seems to respond. */
export const checkNetwork = 'check the proxy and the firewall between this runner and GitHub';

/** Tells GitHub's refusals from rate limits, and from responses of something in front of GitHub. */
function refusalOf(
  { status, response: { headers, data } }: InferOutput<typeof requestErrorSchema>,
  message: string,
) {
  const { 'retry-after': retryAfter, 'x-ratelimit-remaining': remaining } = headers;
  const namesLimit = retryAfter !== '' || remaining === '0' || /\brate limit\b/i.test(message);
  // For a rate limit, GitHub responds with 429, or with 403 as for a missing permission.
  const isLimited = status === 429 || (status === 403 && namesLimit);
  const limit = isLimited && { retryAfterMs: readRetryAfter(retryAfter) ?? Infinity };
  // GitHub refuses a request with JSON, so this is a proxy or a firewall.
  if (typeof data === 'string' && data !== '') {
    const text = /^\s*</.test(data) ? 'a web page' : 'plain text';
    const problem = `something in front of GitHub responded with ${status} and ${text}`;
    return { problem, advice: checkNetwork, isRefusal: false, ...limit };
  }
  // "Resource not accessible by integration", or "by personal access token".
  const lacks = status === 403 && message.startsWith('Resource not accessible by ');
  return { isRefusal: !isLimited, ...(lacks && { isMissingPermission: true }), ...limit };
}

/** GitHub returns at most this many items of a list at once. */
export const pageSize = 100;

/**
 * Reads a list, page by page. Octokit's `paginate` would return a part of the list as if it were complete, if GitHub
 * responds with 409 or null, or if something on the way removes the header `link`.
 *
 * @throws the signal's reason when that is aborted during a delay
 */
export async function askPages<Data, Item>(
  deps: GitHubDeps,
  call: (octokit: Octokit, page: { per_page: number; page: number }) => Promise<Answer<Data>>,
  read: Read<Data, readonly Item[]>,
): Promise<Outcome<readonly Item[]>> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    let hasNext = false;
    const turn = async (octokit: Octokit): Promise<Answer<Data>> => {
      const answer = await call(octokit, { per_page: pageSize, page });
      hasNext = /\brel="next"/.test(answer.headers?.link ?? '');
      return answer;
    };
    const outcome = await ask(deps, turn, read);
    if (outcome.kind === 'failed') {
      return outcome;
    }
    items.push(...outcome.value);
    // A page can be short because GitHub leaves out what the token may not see, and a proxy may remove the link.
    const isLast = outcome.value.length < pageSize && !hasNext;
    if (isLast || outcome.value.length === 0) {
      return { kind: 'ok', value: items };
    }
  }
}

/** Sends a GraphQL query, for `ask`. If GitHub cannot return a field, the data lacks that field. */
export async function queryGraphql(octokit: Octokit, query: string): Promise<Answer<unknown>> {
  const data: unknown = await octokit.graphql(query).catch((error: unknown) => {
    // Octokit throws the data if there are also errors.
    if (error instanceof Error && 'data' in error) {
      return error.data;
    }
    throw error;
  });
  return { status: 200, data };
}

/**
 * Why optional requests were given up. A delay that is aborted throws. Any other error is a bug, but not a reason to
 * fail the step.
 * @param signal the signal that ends the requests
 */
export function failureOfError(
  error: unknown,
  signal: AbortSignal,
): RequestFailure & { readonly kind: 'failed' } {
  const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
  return { kind: 'failed', problem, isRefusal: false };
}
