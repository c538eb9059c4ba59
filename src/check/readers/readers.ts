import type { ApiInputs } from '../../common/api-inputs.ts';
import { timeLimit } from '../../network/timer.ts';
import type { Budget, DateRange } from '../../platform/visitors.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError } from '../../text/error.ts';
import type { Site } from '../docs/site.ts';
import { countVisitors } from './match.ts';

/** Who read the pages of the last 30 days. A help for people, and no part of the verdict. */
export type Readers =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'known';
      /** Visitors by path in the repository. */
      readonly visitors: ReadonlyMap<string, number>;
      /** Whether the whole list was read, so that a page that it lacks had no visitors. */
      readonly isWhole: boolean;
    }
  | {
      readonly kind: 'unknown';
      /** Why, as a main clause. */
      readonly problem: string;
    };

/** The 2,500 most read pages; the limit of an organisation is 100 requests an hour. */
const mostRequests = 10;

/** The readers are optional, so the step waits no longer for them, and repeats a request only once. */
const limitMs = 20_000;
const mostRetries = 1;

const dayMs = 86_400_000;
const days = 30;

const hourlyLimit = 'the limit of an organisation is 100 analytics requests an hour';

/**
 * Reads how many visitors pages had in the last 30 days. Never fails the step.
 * @param pages paths in the repository
 * @throws the reason of the runner's signal
 */
export async function readReaders(
  api: ApiInputs,
  pages: readonly string[],
  site: Pick<Site, 'root' | 'address'>,
  runner: Runner,
): Promise<Readers> {
  const limit = timeLimit(limitMs);
  const signal = AbortSignal.any([runner.signal, limit]);
  const visitors = countVisitors(pages, site);
  try {
    const isWhole = await walk(api, visitors.take, { ...runner, signal });
    return { kind: 'known', visitors: visitors.counts(), isWhole };
  } catch (error) {
    runner.signal.throwIfAborted();
    return { kind: 'unknown', problem: problemOf(error, limit, runner) };
  }
}

/** @returns whether the list ended */
async function walk(
  api: ApiInputs,
  take: ReturnType<typeof countVisitors>['take'],
  runner: Runner,
): Promise<boolean> {
  const [{ connect, describeCalls }, { createVisitors }] = await Promise.all([
    import('../../common/connect.ts'),
    import('../../platform/visitors.ts'),
  ]);
  const { clock, signal } = runner;
  let retries = 0;
  await using client = connect(api, runner);
  const visitors = createVisitors(client, describeCalls(api, hourlyLimit), {
    clock,
    signal,
    onRetry(error, delayMs) {
      runner.log.debug(error.message);
      retries += 1;
      if (retries > mostRetries || delayMs >= limitMs) {
        throw error;
      }
    },
  });
  const budget: Budget = { left: mostRequests };
  let isWhole = false;
  for await (const { rows, hasMore } of visitors.walk(lastDays(clock.todayMs()), 0, budget)) {
    take(rows);
    isWhole = !hasMore;
  }
  return isWhole;
}

/** Whole UTC days, without today. */
function lastDays(todayMs: number): DateRange {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { dateFrom: day(todayMs - days * dayMs), dateTo: day(todayMs) };
}

function problemOf(error: unknown, limit: AbortSignal, { log }: Runner): string {
  if (error instanceof ActionError) {
    return error.what;
  }
  if (limit.aborted) {
    return 'the API did not respond in time';
  }
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 'this action hit an internal error';
}
