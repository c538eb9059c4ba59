import {
  array,
  boolean,
  type GenericSchema,
  maxValue,
  minValue,
  number,
  object,
  pipe,
  string,
  transform,
} from 'valibot';
import { type Attempt, backoffMs, type RetryClock, retry } from '../network/retry.ts';
import type { ActionError } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { ask, type Reply } from './ask.ts';
import type { Client } from './client.ts';
import { finalError } from './failure.ts';
import { countFailure, isPermanent, type RetryState, succeeded, untried } from './retry-state.ts';

/** Approximate numbers of unique visitors, rounded. None of them is the sum of the others. */
export interface Counts {
  readonly human: number;
  readonly ai: number;
  /** Deduplicated across human and AI traffic. */
  readonly total: number;
}

/** The visitors of one page of the documentation. */
export interface PageVisitors extends Counts {
  readonly path: string;
}

/** One response to "Get unique visitors", with up to 250 rows. */
export interface VisitorBatch {
  /** Totals of the whole site, for all of the dates. */
  readonly totals: Counts;
  readonly visitors: readonly PageVisitors[];
  /** Whether the API says that more rows follow. */
  readonly hasMore: boolean;
}

/** The limit that the requests count towards, as a main clause. */
const hourlyLimit = 'the limit of an organisation is 100 analytics requests an hour';

/** The API's limit of rows in one response. */
const batchSize = 250;

/** The time limit of one request. A batch is about 50 kB. */
const batchTimeoutMs = 60_000;

/** The delay after the first failure. It doubles with each further failure. */
const firstDelayMs = 5_000;

/** Over 60 s makes people think that the step hangs. */
const longestDelayMs = 60_000;

const minuteMs = 60_000;

/** Retry for up to 10 minutes: longer than a deploy of the API, but short enough not to waste runner minutes. */
const retryLimitMs = 10 * minuteMs;

/**
 * The API's rate limit is hourly, so the delays that the API asks for may add up to an hour, with a minute for the
 * requests between them. These delays do not count towards `retryLimitMs`.
 */
const askedLimitMs = 61 * minuteMs;

/** Dates as the API accepts them, such as `YYYY-MM-DD`. */
export interface DateRange {
  readonly dateFrom?: string;
  /** Exclusive. */
  readonly dateTo?: string;
}

export interface VisitorsDeps {
  readonly client: Client;
  readonly projectId: string;
  readonly clock: RetryClock & {
    /** Milliseconds since 1970, UTC. */
    epochMs(): number;
  };
  readonly signal: AbortSignal;
  /** Called for every failed request that will be retried. */
  readonly onRetry: (error: ActionError, delayMs: number) => void;
}

/**
 * "Get unique visitors", `GET /v1/analytics/{projectId}/visitors`: yields the batches of a date range. The walk ends
 * after a batch without `hasMore`, after an empty batch, or after `maxRequests` batches; the last batch shows which.
 *
 * @param maxRequests does not count retries
 * @throws ActionError for a permanent failure, or when a retry limit is reached
 * @throws the signal's reason
 */
export async function* walkVisitors(
  range: DateRange,
  maxRequests: number,
  deps: VisitorsDeps,
): AsyncGenerator<VisitorBatch, void> {
  let offset = 0;
  for (let count = 0; count < maxRequests; count += 1) {
    const batch = await getBatch(range, offset, count === 0 ? untried : succeeded, deps);
    yield batch;
    if (!batch.hasMore || batch.visitors.length === 0) {
      return;
    }
    offset += batch.visitors.length;
  }
}

async function getBatch(
  range: DateRange,
  offset: number,
  before: RetryState,
  deps: VisitorsDeps,
): Promise<VisitorBatch> {
  const { clock, signal, onRetry } = deps;
  const sinceMs = clock.nowMs();
  let retryState = before;
  let askedMs = 0;
  const attempt = async (failures: number): Promise<Attempt<VisitorBatch>> => {
    const reply = await askForBatch(range, offset, deps);
    signal.throwIfAborted();
    if (reply.kind === 'success') {
      return { kind: 'done', value: reply.value };
    }
    const { failure } = reply;
    const { error, retryAfterMs } = failure;
    retryState = countFailure(retryState, failure);
    if (isPermanent(retryState)) {
      throw error;
    }
    return {
      kind: 'again',
      delayMs: backoffMs(firstDelayMs, failures, longestDelayMs),
      retryAfterMs,
      deadlineMs: sinceMs + (retryAfterMs === undefined ? askedMs + retryLimitMs : askedLimitMs),
      onDelay(delayMs) {
        askedMs += retryAfterMs === undefined ? 0 : delayMs;
        onRetry(error, delayMs);
      },
      giveUp: () => {
        throw finalError(failure, askedLimitMs, 'this action waits', clock.epochMs());
      },
    };
  };
  return await retry(attempt, { clock, signal });
}

function askForBatch(
  range: DateRange,
  offset: number,
  { client, projectId }: VisitorsDeps,
): Promise<Reply<VisitorBatch>> {
  const path = ['v1', 'analytics', projectId, 'visitors'];
  const query = { ...range, limit: String(batchSize), offset: String(offset) };
  return ask(
    client,
    { method: 'GET', path, query, timeoutMs: batchTimeoutMs },
    { about: { projectId, hourlyLimit }, expected: 'a list of visitors', read: readVisitorBatch },
  );
}

/**
 * The counts are approximate, and the API's description allows fractions. More visitors than can be counted exactly are
 * a mistake.
 */
const count = pipe(
  number(),
  minValue(0),
  maxValue(Number.MAX_SAFE_INTEGER),
  transform((value) => Math.round(value)),
);

const counts = { human: count, ai: count, total: count };

/** Unknown fields are ignored. */
const batchSchema: GenericSchema<unknown, VisitorBatch> = object({
  totals: object(counts),
  visitors: array(object({ path: string(), ...counts })),
  hasMore: boolean(),
});

/** Parses a batch of visitors; `undefined` if a field is missing or invalid. */
export function readVisitorBatch(body: unknown): VisitorBatch | undefined {
  return parse(batchSchema, body);
}
