import { type Attempt, doubled, type RetryClock, retry } from '../network/retry.ts';
import type { Client } from './client.ts';
import type { PlatformError } from './errors.ts';
import type { ProjectContext, RequestContext } from './explain.ts';
import { type FailedReply, finalError, readReply, unreadable } from './failure.ts';
import { countFailure, isHopeless, succeeded, type Tally, untried } from './tally.ts';
import type { VisitorBatch } from './visitor.ts';

/** The most rows that the API puts into one response. */
export const batchSize = 250;

/** One limit over connecting, headers and body of a batch, which is about 50 kB. */
const batchTimeoutMs = 60_000;

/** The delay after a first failure; further failures double it. */
const firstDelayMs = 5_000;

/** Above 60 s people wonder. */
const longestDelayMs = 60_000;

const minuteMs = 60_000;

/**
 * How long failures in a row are retried: longer than a deployment of the API, shorter than anyone
 * wants to pay for a waiting runner.
 */
const retryLimitMs = 10 * minuteMs;

/**
 * The API counts its limit by the hour, so the delays that it asks for may take an hour together.
 * They do not count toward `retryLimitMs`, and the time that requests take does not count here: a
 * `Retry-After` of exactly one hour is kept.
 */
const askedLimitMs = 60 * minuteMs;

/** Dates as the API takes them: `YYYY-MM-DD` or ISO 8601. */
export interface DateRange {
  readonly dateFrom?: string;
  /** Exclusive. */
  readonly dateTo?: string;
}

/** How many requests may still be sent. It only falls; repeated requests count too. */
export interface Budget {
  left: number;
}

export interface VisitorsDeps {
  readonly clock: RetryClock & {
    /** Milliseconds since 1970, UTC. */
    todayMs(): number;
  };
  readonly signal: AbortSignal;
  /** Is told of every failed request that will be repeated. */
  readonly onRetry: (error: PlatformError, delayMs: number) => void;
}

/** The visitor analytics of one project. */
export interface Visitors {
  /**
   * "Get unique visitors", `GET /v1/analytics/{projectId}/visitors`: the batches of a range from
   * the row `offset` on, one request for each. A failed request is repeated as the agent's polls
   * are. The walk ends after a batch without `hasMore`, after an empty one, and when the budget is
   * spent; the last batch tells which it was.
   *
   * @throws PlatformError for a refusal that no waiting mends, for failures beyond every limit,
   *   and for the last failure when the budget was spent before the first batch came
   * @throws the reason of the signal
   */
  walk(range: DateRange, offset: number, budget: Budget): AsyncGenerator<VisitorBatch, void>;
}

export function createVisitors(
  client: Client,
  project: ProjectContext,
  deps: VisitorsDeps,
): Visitors {
  const context: RequestContext = { ...project, scope: 'read' };
  return {
    async *walk(range, offset, budget) {
      let tally = untried;
      for (let at = offset, hasMore = true; hasMore && budget.left > 0; at += batchSize) {
        const send = () => sendForBatch(client, context, range, at);
        const batch = await getBatch(send, tally, budget, deps);
        if (batch === undefined) {
          return;
        }
        tally = succeeded;
        hasMore = batch.hasMore && batch.rows.length > 0;
        yield batch;
      }
    },
  };
}

type BatchReply = { readonly kind: 'batch'; readonly batch: VisitorBatch } | FailedReply;

/** `undefined` when the budget is spent; then at least one batch came before. */
async function getBatch(
  send: () => Promise<BatchReply>,
  before: Tally,
  budget: Budget,
  { clock, signal, onRetry }: VisitorsDeps,
): Promise<VisitorBatch | undefined> {
  const sinceMs = clock.nowMs();
  let tally = before;
  let askedMs = 0;
  const attempt = async (): Promise<Attempt<VisitorBatch | undefined>> => {
    budget.left -= 1;
    const reply = await send();
    signal.throwIfAborted();
    if (reply.kind === 'batch') {
      return { kind: 'done', value: reply.batch };
    }
    const { failure } = reply;
    tally = countFailure(tally, failure);
    if (isHopeless(tally) || (budget.left === 0 && !tally.hasSucceeded)) {
      throw failure.error;
    }
    if (budget.left === 0) {
      return { kind: 'done', value: undefined };
    }
    const delayMs = doubled(firstDelayMs, tally.failuresInRow - 1, longestDelayMs);
    const { retryAfterMs } = failure;
    return {
      kind: 'again',
      delayMs,
      retryAfterMs,
      deadlineMs:
        retryAfterMs === undefined
          ? sinceMs + askedMs + retryLimitMs
          : askedDeadlineMs(askedMs + Math.max(delayMs, retryAfterMs)),
      atDeadline: 'keep',
      giveUp: () => {
        throw finalError(failure, askedLimitMs, 'this action waits', clock.todayMs());
      },
    };
  };
  return await retry(attempt, {
    clock,
    signal,
    onDelay(delayMs) {
      const { lastFailure } = tally;
      if (lastFailure !== undefined) {
        askedMs += lastFailure.retryAfterMs === undefined ? 0 : delayMs;
        onRetry(lastFailure.error, delayMs);
      }
    },
  });
}

/**
 * Delays that the API asks for are added up, not measured: a deadline on the clock would already have
 * lost the moment in which the response was read.
 */
function askedDeadlineMs(askedMs: number): number {
  return askedMs > askedLimitMs ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

async function sendForBatch(
  client: Client,
  context: RequestContext,
  range: DateRange,
  offset: number,
): Promise<BatchReply> {
  const response = await client.send({
    method: 'GET',
    path: ['v1', 'analytics', context.projectId, 'visitors'],
    query: { ...range, limit: String(batchSize), offset: String(offset) },
    timeoutMs: batchTimeoutMs,
  });
  // Loaded now, so that nothing stands before the first request.
  const [refusalReaders, { readVisitorBatch }] = await Promise.all([
    import('./schema.ts'),
    import('./visitor-schema.ts'),
  ]);
  const reply = readReply(response, context, refusalReaders);
  if (reply.kind === 'failure') {
    return reply;
  }
  const batch = readVisitorBatch(reply.body);
  return batch === undefined
    ? unreadable(reply.status, 'a list of visitors', context)
    : { kind: 'batch', batch };
}
