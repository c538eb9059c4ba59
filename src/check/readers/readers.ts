import type { ApiInputs } from '../../common/api-inputs.ts';
import { timeLimit } from '../../network/timer.ts';
import type { Budget, DateRange, PageVisitors } from '../../platform/visitors.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError } from '../../text/error.ts';
import { addressOf } from '../docs/links.ts';
import type { Site } from '../docs/site.ts';

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
const maxRequests = 10;

/** The readers are optional, so the step waits no longer for them, and repeats a request only once. */
const limitMs = 20_000;
const maxRetries = 1;

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
  try {
    const { rows, isWhole } = await readRows(api, { ...runner, signal });
    return { kind: 'known', visitors: countVisitors(rows, pages, site), isWhole };
  } catch (error) {
    runner.signal.throwIfAborted();
    return { kind: 'unknown', problem: problemOf(error, limit, runner) };
  }
}

/** Reads the most read pages, and whether the list ended with them. */
async function readRows(
  api: ApiInputs,
  runner: Runner,
): Promise<{ readonly rows: readonly PageVisitors[]; readonly isWhole: boolean }> {
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
      if (retries > maxRetries || delayMs >= limitMs) {
        throw error;
      }
    },
  });
  const budget: Budget = { left: maxRequests };
  const all: PageVisitors[] = [];
  let isWhole = false;
  for await (const { rows, hasMore } of visitors.walk(lastDays(clock.todayMs()), 0, budget)) {
    all.push(...rows);
    isWhole = !hasMore;
  }
  return { rows: all, isWhole };
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

/**
 * Visitors of each page by its path in the repository; without the pages that were not listed. Counts
 * are not additive, so of several spellings of one address the most visited one counts.
 *
 * @param pages paths in the repository
 */
export function countVisitors(
  rows: readonly PageVisitors[],
  pages: readonly string[],
  { root, address }: Pick<Site, 'root' | 'address'>,
): ReadonlyMap<string, number> {
  const plain = (path: string) =>
    addressOf(path.replace(/[?#].*$/su, ''), { root: '' }).toLowerCase();
  const base = `${plain(URL.parse(address ?? '')?.pathname ?? '')}/`;
  const pageOf = new Map(pages.map((page) => [addressOf(page, { root }).toLowerCase(), page]));
  const counts = new Map<string, number>();
  for (const { path, total } of rows) {
    const written = plain(path);
    const below = `${written}/`.startsWith(base) ? written.slice(base.length) : written;
    const page = pageOf.get(written) ?? pageOf.get(below);
    if (page !== undefined) {
      counts.set(page, Math.max(total, counts.get(page) ?? 0));
    }
  }
  return counts;
}
