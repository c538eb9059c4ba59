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
} from 'valibot';
import { type Attempt, backoffMs, type RetryClock, retry } from '../network/retry.ts';
import type { ActionError } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { ask, type Reply } from './ask.ts';
import type { Client } from './client.ts';
import { finalError } from './failure.ts';
import { countFailure, isPermanent, type RetryState, succeeded, untried } from './retry-state.ts';

/** Approximate numbers of unique visitors. None of them is the sum of the others. */
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
interface VisitorBatch {
  /** Totals of the whole site, for all of the dates. */
  readonly totals: Counts;
  readonly rows: readonly PageVisitors[];
  /** Whether the API says that more rows follow. */
  readonly hasMore: boolean;
}

/** A batch, and where the next one starts. */
export interface WalkedBatch extends VisitorBatch {
  readonly nextOffset: number;
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

/**
 * Retry for up to 10 minutes: longer than a deploy of the API, but short enough not to waste runner
 * minutes.
 */
const retryLimitMs = 10 * minuteMs;

/**
 * The API's rate limit is hourly, so the delays that it requests may add up to an hour, with a minute for
 * the requests between them. They do not count towards `retryLimitMs`.
 */
const askedLimitMs = 61 * minuteMs;

/** Dates as the API accepts them: `YYYY-MM-DD` or ISO 8601. */
export interface DateRange {
  readonly dateFrom?: string;
  /** Exclusive. */
  readonly dateTo?: string;
}

/** How many requests may still be sent. Retries count too. */
export interface Budget {
  left: number;
}

export interface VisitorsDeps {
  readonly client: Client;
  readonly projectId: string;
  readonly clock: RetryClock & {
    /** Milliseconds since 1970, UTC. */
    todayMs(): number;
  };
  readonly signal: AbortSignal;
  /** Called for every failed request that will be retried. */
  readonly onRetry: (error: ActionError, delayMs: number) => void;
}

/**
 * "Get unique visitors", `GET /v1/analytics/{projectId}/visitors`: yields the batches of a date range,
 * starting at row `offset`, with one request for each. It ends after a batch without `hasMore`, after
 * an empty batch, or when the budget is used up; the last batch shows which. If the API sends fewer
 * rows than requested, but says that more follow, the next requests ask for the number of rows that it sent.
 *
 * @throws ActionError for a permanent failure, when a retry limit is reached, or for the last
 *   failure if the budget was used up before the first batch
 * @throws the signal's reason
 */
export async function* walkVisitors(
  range: DateRange,
  offset: number,
  budget: Budget,
  deps: VisitorsDeps,
): AsyncGenerator<WalkedBatch, void> {
  let retryState = untried;
  let limit = batchSize;
  for (let at = offset, hasMore = true; hasMore && budget.left > 0; at += limit) {
    const query = { ...range, limit: String(limit), offset: String(at) };
    const batch = await getBatch(query, retryState, budget, deps);
    if (batch === undefined) {
      return;
    }
    retryState = succeeded;
    hasMore = batch.hasMore && batch.rows.length > 0;
    limit = hasMore ? Math.min(limit, batch.rows.length) : limit;
    yield { ...batch, nextOffset: at + limit };
  }
}

type Query = Readonly<Record<string, string>>;

function askForBatch(
  query: Query,
  { client, projectId }: VisitorsDeps,
): Promise<Reply<VisitorBatch>> {
  const path = ['v1', 'analytics', projectId, 'visitors'];
  return ask(
    client,
    { method: 'GET', path, query, timeoutMs: batchTimeoutMs },
    { about: { projectId, hourlyLimit }, expected: 'a list of visitors', read: readVisitorBatch },
  );
}

/** `undefined` if the budget is used up; in that case an earlier request succeeded. */
async function getBatch(
  query: Query,
  before: RetryState,
  budget: Budget,
  deps: VisitorsDeps,
): Promise<VisitorBatch | undefined> {
  const { clock, signal, onRetry } = deps;
  const sinceMs = clock.nowMs();
  let retryState = before;
  let askedMs = 0;
  const attempt = async (): Promise<Attempt<VisitorBatch | undefined>> => {
    budget.left -= 1;
    const reply = await askForBatch(query, deps);
    signal.throwIfAborted();
    if (reply.kind === 'success') {
      return { kind: 'done', value: reply.value };
    }
    const { failure } = reply;
    retryState = countFailure(retryState, failure);
    if (isPermanent(retryState) || (budget.left === 0 && !retryState.hasSucceeded)) {
      throw failure.error;
    }
    if (budget.left === 0) {
      return { kind: 'done', value: undefined };
    }
    const { error, retryAfterMs } = failure;
    return {
      kind: 'again',
      delayMs: backoffMs(firstDelayMs, retryState.failuresInRow - 1, longestDelayMs),
      retryAfterMs,
      deadlineMs: sinceMs + (retryAfterMs === undefined ? askedMs + retryLimitMs : askedLimitMs),
      onDelay(delayMs) {
        askedMs += retryAfterMs === undefined ? 0 : delayMs;
        onRetry(error, delayMs);
      },
      giveUp: () => {
        throw finalError(failure, askedLimitMs, 'this action waits', clock.todayMs());
      },
    };
  };
  return await retry(attempt, { clock, signal });
}

/**
 * The API's description allows fractions, because the counts are approximate. More visitors than can be
 * counted exactly are a mistake.
 */
const count = pipe(number(), minValue(0), maxValue(Number.MAX_SAFE_INTEGER));

const counts = { human: count, ai: count, total: count };

/** The response to "Get unique visitors". Unknown fields are ignored. */
const batchSchema: GenericSchema<
  unknown,
  Omit<VisitorBatch, 'rows'> & { visitors: VisitorBatch['rows'] }
> = object({
  totals: object(counts),
  visitors: array(object({ path: string(), ...counts })),
  hasMore: boolean(),
});

/** Parses a batch of visitors; `undefined` if a field is missing or invalid. */
export function readVisitorBatch(body: unknown): VisitorBatch | undefined {
  const fields = parse(batchSchema, body);
  return fields && { totals: fields.totals, rows: fields.visitors, hasMore: fields.hasMore };
}
