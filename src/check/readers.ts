import type { ApiInputs } from '../common/api.ts';
import { timeLimit } from '../network/timer.ts';
import type { PageVisitors } from '../platform/visitors.ts';
import type { Runner } from '../runner/runner.ts';
import { ActionError } from '../text/error.ts';
import { addressOf } from './docs/links.ts';
import type { Site } from './docs/site.ts';

/**
 * How many visitors pages had in the last 30 days, by path in the repository; a page that is missing may
 * have had some. A help for people, and no part of the verdict. `off` if nobody asked for it.
 */
export type Readers = ReadonlyMap<string, number> | 'off' | 'unknown';

/** The 2,500 most read pages; the limit of an organisation is 100 requests an hour. */
const maxRequests = 10;

/** The readers are optional, so the step waits no longer for them, and repeats no request. */
const limitMs = 20_000;

const dayMs = 86_400_000;
const days = 30;

/**
 * The inputs for `readReaders`; `unknown` for a run that GitHub gives no secrets, because readers are no
 * reason to fail it.
 * @throws ActionError for the first invalid input
 */
export async function readReadersApi(runner: Runner): Promise<ApiInputs | 'unknown'> {
  const [{ findNoSecret }, { readApiInputs }] = await Promise.all([
    import('../common/no-secret.ts'),
    import('../common/api.ts'),
  ]);
  return (await findNoSecret(runner, '')) === undefined
    ? readApiInputs(runner.inputs, 'read')
    : unknownReaders('GitHub gives this run no secrets', runner);
}

/**
 * Reads how many visitors pages had in the last 30 days. A failed request never fails the step.
 * @param pages paths in the repository
 * @throws the reason of the runner's signal
 */
export async function readReaders(
  api: ApiInputs,
  pages: readonly string[],
  site: Pick<Site, 'root' | 'address'>,
  runner: Runner,
): Promise<Readers> {
  if (pages.length === 0) {
    return 'off';
  }
  const limit = timeLimit(limitMs);
  const signal = AbortSignal.any([runner.signal, limit]);
  try {
    const { rows, isWhole } = await readRows(api, { ...runner, signal });
    // A page that the whole list lacks had no visitors.
    const unlisted = isWhole ? pages.map((page) => [page, 0] as const) : [];
    return new Map([...unlisted, ...countVisitors(rows, pages, site)]);
  } catch (error) {
    runner.signal.throwIfAborted();
    if (error instanceof ActionError) {
      return unknownReaders(error.what, runner);
    }
    if (limit.aborted) {
      return unknownReaders('the API did not respond in time', runner);
    }
    throw error;
  }
}

/** @param problem a main clause */
function unknownReaders(problem: string, { log }: Runner): 'unknown' {
  log.notice(`How many people read the pages is not known, because ${problem}.`);
  return 'unknown';
}

/** Reads the most read pages, and whether the list ended with them. */
async function readRows(
  api: ApiInputs,
  runner: Runner,
): Promise<{ readonly rows: readonly PageVisitors[]; readonly isWhole: boolean }> {
  const [{ connect, describeCalls }, { createVisitors, hourlyLimit }] = await Promise.all([
    import('../common/api.ts'),
    import('../platform/visitors.ts'),
  ]);
  const { clock, signal } = runner;
  await using client = connect(api, runner);
  const visitors = createVisitors(client, describeCalls(api, hourlyLimit), {
    clock,
    signal,
    onRetry(error) {
      throw error;
    },
  });
  // Whole UTC days, without today.
  const day = (daysAgo: number) =>
    new Date(clock.todayMs() - daysAgo * dayMs).toISOString().slice(0, 10);
  const range = { dateFrom: day(days), dateTo: day(0) };
  const rows: PageVisitors[] = [];
  let isWhole = false;
  for await (const batch of visitors.walk(range, 0, { left: maxRequests })) {
    rows.push(...batch.rows);
    isWhole = !batch.hasMore;
  }
  return { rows, isWhole };
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
