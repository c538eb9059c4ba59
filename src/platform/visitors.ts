import { untilWhen } from '../text/duration.ts';
import type { Client } from './client.ts';
import { type PlatformError, RateLimitedError } from './errors.ts';
import type { CallContext, ProjectContext } from './explain.ts';
import { type FailedReply, type Failure, readReply, unreadable } from './failure.ts';
import {
  countFailure,
  isHopeless,
  stretchedPauseMs,
  succeeded,
  type Tally,
  untried,
} from './patience.ts';
import type { VisitorBatch } from './visitor.ts';

/** The most rows that the service puts into one answer. */
export const batchSize = 250;

/** One limit over connecting, headers and body of a batch, which is about 50 kB. */
const batchTimeoutMs = 60_000;

/** The first pause after a failure; further failures stretch it to 60 s. */
const firstPauseMs = 5_000;

const minuteMs = 60_000;

/**
 * For so long failures in a row are borne: longer than a deployment of the service takes, shorter
 * than anybody wants to pay a runner that waits.
 */
const patienceMs = 10 * minuteMs;

/**
 * The API counts its limit by the hour, so the pauses that it asks for may take an hour together.
 * They do not count toward `patienceMs`, and the time that requests take does not count here: a
 * `Retry-After` of exactly one hour is kept.
 */
const askedPatienceMs = 60 * minuteMs;

/** Dates as the service takes them: `YYYY-MM-DD` or ISO 8601. */
export interface DateRange {
  readonly dateFrom?: string;
  /** Exclusive. */
  readonly dateTo?: string;
}

/** How many requests may still be sent. It only falls; repeated requests count too. */
export interface Budget {
  left: number;
}

export interface VisitorsWorld {
  readonly clock: {
    /** Milliseconds on a clock that never runs backwards. */
    nowMs(): number;
    /** Milliseconds since 1970, UTC. */
    todayMs(): number;
    /** Resolves after `durationMs`; rejects with the signal's reason as soon as it is aborted. */
    sleep(durationMs: number, signal: AbortSignal): Promise<void>;
  };
  readonly cancelled: AbortSignal;
  /** Told of every failed request that is going to be repeated. */
  readonly onTrouble: (error: PlatformError, pauseMs: number) => void;
}

/** The visitor analytics of one project. */
export interface Visitors {
  /**
   * "Get unique visitors", `GET /v1/analytics/{projectId}/visitors`: the batches of a range from
   * the row `offset` on, one request for each. A failed request is repeated as the agent's looks
   * are. The walk ends after a batch without `hasMore`, after an empty one, and when the budget is
   * spent; the last batch tells which it was.
   *
   * @throws PlatformError for a refusal that no waiting mends, for failures beyond all patience,
   *   and for the last failure when the budget was spent before the first batch came
   * @throws the reason of the signal `cancelled`
   */
  walk(range: DateRange, offset: number, budget: Budget): AsyncGenerator<VisitorBatch, void>;
}

export function createVisitors(
  client: Client,
  project: ProjectContext,
  world: VisitorsWorld,
): Visitors {
  const context: CallContext = { ...project, scope: 'read' };
  return {
    async *walk(range, offset, budget) {
      let tally = untried;
      for (let at = offset, hasMore = true; hasMore && budget.left > 0; at += batchSize) {
        const ask = () => askForBatch(client, context, range, at);
        const batch = await askPatiently(ask, tally, budget, world);
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
async function askPatiently(
  ask: () => Promise<BatchReply>,
  before: Tally,
  budget: Budget,
  { clock, cancelled, onTrouble }: VisitorsWorld,
): Promise<VisitorBatch | undefined> {
  const sinceMs = clock.nowMs();
  let askedMs = 0;
  for (let tally = before; ; ) {
    budget.left -= 1;
    const reply = await ask();
    cancelled.throwIfAborted();
    if (reply.kind === 'batch') {
      return reply.batch;
    }
    tally = countFailure(tally, reply.failure);
    if (isHopeless(tally)) {
      throw reply.failure.error;
    }
    if (budget.left === 0) {
      return endOfBudget(tally, reply.failure);
    }
    const pauseMs = choosePauseMs(tally, reply.failure);
    askedMs += isAskedFor(reply.failure) ? pauseMs : 0;
    const waitedMs = clock.nowMs() - sinceMs + pauseMs;
    if (isTooLong(reply.failure, askedMs, waitedMs - askedMs)) {
      throw outOfPatience(reply.failure, clock.todayMs());
    }
    onTrouble(reply.failure.error, pauseMs);
    await clock.sleep(pauseMs, cancelled);
  }
}

function endOfBudget({ hasSucceeded }: Tally, { error }: Failure): undefined {
  if (!hasSucceeded) {
    throw error;
  }
  return undefined;
}

function choosePauseMs({ failuresInRow }: Tally, { retryAfterMs = 0 }: Failure): number {
  return Math.max(stretchedPauseMs(firstPauseMs, failuresInRow), retryAfterMs);
}

function isAskedFor({ retryAfterMs }: Failure): boolean {
  return retryAfterMs !== undefined;
}

function isTooLong(failure: Failure, askedMs: number, ownMs: number): boolean {
  return isAskedFor(failure) ? askedMs > askedPatienceMs : ownMs > patienceMs;
}

function outOfPatience({ error, retryAfterMs = 0 }: Failure, todayMs: number): PlatformError {
  return error instanceof RateLimitedError && retryAfterMs > askedPatienceMs
    ? new RateLimitedError(
        `${error.what} and asks to wait ${untilWhen(retryAfterMs, todayMs)}`,
        'that is longer than this action waits, so re-run the workflow after that',
      )
    : error;
}

async function askForBatch(
  client: Client,
  context: CallContext,
  range: DateRange,
  offset: number,
): Promise<BatchReply> {
  const exchange = await client.exchange({
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
  const reply = readReply(exchange, context, refusalReaders);
  if (reply.kind === 'failure') {
    return reply;
  }
  const batch = readVisitorBatch(reply.body);
  return batch === undefined
    ? unreadable(reply.status, 'list of visitors', context)
    : { kind: 'batch', batch };
}
