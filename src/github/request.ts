import type { getOctokit } from '@actions/github';
import { type InferOutput, number, object, optional, string, unknown } from 'valibot';
import { type RetryClock, retry } from '../network/retry.ts';
import { CancelledError } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';

export type Octokit = ReturnType<typeof getOctokit>;

/** GitHub's API, used with one token. */
export interface Session {
  /**
   * Makes an Octokit whose requests have these limits.
   * @throws RequestFailedError where no request can be made
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

/** The outcome of asking GitHub for something. */
export type Outcome<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | ({ readonly kind: 'failed' } & RequestFailure);

/** Why a request failed, for the log. */
export interface RequestFailure {
  /** A main clause. */
  readonly problem: string;
  /** Whether GitHub itself refused the request; another token or permission may help. */
  readonly isRefusal: boolean;
  /** `undefined` without a response. */
  readonly status?: number;
  /** Whether there was a response in a form that cannot be GitHub's. */
  readonly isUnreadable?: boolean;
  /** Whether the same request may succeed later; missing if that is not known. */
  readonly isTemporary?: boolean;
  /** Whether the request may have had its effect all the same. */
  readonly mayHaveHappened?: boolean;
  /** How long to wait before the same request; `undefined` if GitHub does not say, or if waiting is no use. */
  readonly retryAfterMs?: number | undefined;
}

/** Thrown in place of a response, where there is none that Octokit can read. */
export class RequestFailedError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.problem);
    this.failure = failure;
  }
}

/** What Octokit's methods resolve to. */
interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
}

/** Calls a method of Octokit. */
export type Call<Data> = (octokit: Octokit) => Promise<Answer<Data>>;

/**
 * Reads what a method of Octokit returns; `undefined` if it cannot be what was asked for. It takes
 * `unknown`, and a schema, where the response decides who may start a job, or what is paid or merged.
 * Elsewhere it trusts the types of Octokit.
 */
export type Read<Data, Value> = (data: Data) => Value | undefined;

interface AskOptions {
  /** Of each request; 10 s by default. */
  readonly timeoutMs?: number;
  /** Whether a second request would do a second thing, so that it is sent only if the first did nothing. */
  readonly isOnce?: boolean;
}

/** Long enough for a brief failure, short enough for a person who waits. */
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
  let status = 200;
  try {
    const response = await call();
    status = response.status;
    const value = read(response.data);
    return value === undefined ? { kind: 'failed', ...unreadable(status) } : { kind: 'ok', value };
  } catch (error) {
    // What responds in place of GitHub, such as a proxy, has no such fields.
    const failure = error instanceof TypeError ? unreadable(status) : failureOf(error);
    return { kind: 'failed', ...failure };
  }
}

function unreadable(status: number): RequestFailure {
  return {
    problem: `GitHub responded with ${status}, but in a form that this action cannot read`,
    isRefusal: false,
    status,
    isUnreadable: true,
    isTemporary: false,
  };
}

/** Octokit's `RequestError`, where there was a response. */
const requestErrorSchema = object({
  status: number(),
  response: object({
    headers: object({
      'retry-after': optional(string()),
      'x-ratelimit-remaining': optional(string()),
    }),
    data: unknown(),
  }),
});

const messageSchema = object({ message: string() });

/** @throws the error, as it was before Octokit wrapped it, if it is not that of a request */
function failureOf(error: unknown): RequestFailure {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof RequestFailedError) {
    return cause.failure;
  }
  const refused = parse(requestErrorSchema, error);
  if (refused === undefined) {
    throw cause;
  }
  const { status, response } = refused;
  const message = parse(messageSchema, response.data)?.message ?? '';
  const problem = `GitHub responded with ${status}${message === '' ? '' : ` (${quoted(message)})`}`;
  return status >= 500
    ? {
        problem,
        isRefusal: false,
        status,
        isTemporary: true,
        mayHaveHappened: true,
        retryAfterMs: 0,
      }
    : { problem, status, ...refusalOf(refused, message) };
}

/** Tells what GitHub refuses from what came too early or too often, and from what never reached it. */
function refusalOf(
  { status, response: { headers, data } }: InferOutput<typeof requestErrorSchema>,
  message: string,
) {
  const retryAfter = headers['retry-after'];
  const namesLimit =
    retryAfter !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /\brate limit\b/i.test(message);
  // GitHub answers 429, or 403 as for a missing permission.
  const isLimited = status === 429 || (status === 403 && namesLimit);
  const isTimed = isLimited && /^\d{1,6}$/.test(retryAfter ?? '');
  const limit = {
    isTemporary: isLimited,
    retryAfterMs: isTimed ? Number(retryAfter) * 1000 : undefined,
  };
  // GitHub refuses a request with JSON, so this is a proxy or a firewall.
  if (typeof data === 'string' && data !== '') {
    const text = /^\s*</.test(data) ? 'a web page' : 'plain text';
    const problem = `something in front of GitHub responded with ${status} and ${text}`;
    return { problem, isRefusal: false, ...limit };
  }
  return { isRefusal: !isLimited, ...limit };
}

/** The most that GitHub returns at once. */
export const pageSize = 100;

/**
 * Reads a list, page by page. Octokit's `paginate` would end it early, as if it were complete, where GitHub
 * answers 409 or null, and where something on the way takes the header `link` out.
 *
 * @param maxPages a longer list counts as failed
 * @throws the signal's reason when that is aborted during a delay
 */
export async function askPages<Data, Item>(
  deps: GitHubDeps,
  call: (octokit: Octokit, page: { per_page: number; page: number }) => Promise<Answer<Data>>,
  read: Read<Data, readonly Item[]>,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Outcome<readonly Item[]>> {
  const items: Item[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const outcome = await ask(deps, (octokit) => call(octokit, { per_page: pageSize, page }), read);
    if (outcome.kind === 'failed') {
      return outcome;
    }
    items.push(...outcome.value);
    if (outcome.value.length < pageSize) {
      return { kind: 'ok', value: items };
    }
  }
  const problem = `the list has more than ${maxPages * pageSize} entries`;
  return { kind: 'failed', problem, isRefusal: false };
}

/** Sends a query of GraphQL, for `ask`. Of what GitHub cannot return, the data has nothing. */
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

/** What it takes to read from a repository without which the step cannot go on. */
export interface RequiredDeps extends Omit<GitHubDeps, 'session'> {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** `owner/name` */
  readonly repository: string;
}

/**
 * What it takes to ask for something without which the step cannot go on.
 * @param refuse makes the error without a token
 */
export function withToken(
  { session, clock, signal }: RequiredDeps,
  refuse: (problem: string, advice: string) => Error,
): GitHubDeps {
  if (session === undefined) {
    const advice = "leave the input out, which gives it the workflow's own token";
    throw refuse('github-token is empty', advice);
  }
  return { session, clock, signal };
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
