import { type ApiInputs, connect, describeCalls, readApiInputs } from '../common/api.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { timeLimit } from '../network/timer.ts';
import { createVisitors, hourlyLimit, type PageVisitors } from '../platform/visitors.ts';
import type { Runner } from '../runner/runner.ts';
import { ActionError } from '../text/error.ts';
import type { ChangedFile } from './change.ts';
import { type LinkTargets, linksOf } from './docs/links.ts';

/**
 * How many visitors changed pages had in the last 30 days, by path after the change; a page that is missing may
 * have had some. A help for people, and no part of the verdict.
 */
export type Visitors = ReadonlyMap<string, number>;

type ChangedPages = readonly Pick<ChangedFile, 'path' | 'previousPath'>[];

/** Reads the visitors of changed pages; `undefined` if that failed. */
type ReadVisitors = (pages: ChangedPages, before: LinkTargets) => Promise<Visitors | undefined>;

/** The 2,500 most read pages; the limit of an organisation is 100 requests an hour. */
const maxRequests = 10;

/** The readers are optional, so the step waits no longer for them, and repeats no request. */
const limitMs = 20_000;

const dayMs = 86_400_000;
const days = 30;

/**
 * Reads the inputs for the API, and returns what uses them. Neither a failed request nor a run that GitHub gives no
 * secrets is a reason to fail the step.
 * @throws ActionError for the first invalid input
 */
export async function createReaders(runner: Runner): Promise<ReadVisitors> {
  if ((await findNoSecret(runner, '')) !== undefined) {
    return async () => unknownVisitors('GitHub gives this run no secrets', runner);
  }
  const api = readApiInputs(runner.inputs, 'read');
  return (pages, before) => readVisitors(api, pages, before, runner);
}

/**
 * Reads how many visitors pages had in the last 30 days; `undefined` if a request failed.
 * @throws the reason of the runner's signal
 */
export async function readVisitors(
  api: ApiInputs,
  pages: ChangedPages,
  before: LinkTargets,
  runner: Runner,
): Promise<Visitors | undefined> {
  if (pages.length === 0) {
    return new Map();
  }
  const limit = timeLimit(limitMs);
  const signal = AbortSignal.any([runner.signal, limit]);
  try {
    const { rows, isWhole } = await readRows(api, { ...runner, signal });
    // A page that the whole list lacks had no visitors.
    const unlisted = isWhole ? pages.map(({ path }) => [path, 0] as const) : [];
    return new Map([...unlisted, ...countVisitors(rows, pages, before)]);
  } catch (error) {
    runner.signal.throwIfAborted();
    if (error instanceof ActionError) {
      return unknownVisitors(error.what, runner);
    }
    if (limit.aborted) {
      return unknownVisitors('the API did not respond in time', runner);
    }
    throw error;
  }
}

/** @param problem a main clause */
function unknownVisitors(problem: string, { log }: Runner): undefined {
  log.notice(`How many people read the pages is not known, because ${problem}.`);
}

/** Reads the most read pages, and whether the list ended with them. */
async function readRows(
  api: ApiInputs,
  runner: Runner,
): Promise<{ readonly rows: readonly PageVisitors[]; readonly isWhole: boolean }> {
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
 * Visitors of each page by its path after the change; without the pages that were not listed. Counts
 * are not additive, so of several spellings of one address the most visited one counts.
 */
export function countVisitors(
  rows: readonly PageVisitors[],
  pages: ChangedPages,
  before: LinkTargets,
): Visitors {
  const links = linksOf(before);
  const pathsAfter = new Map(pages.map(({ path, previousPath = path }) => [previousPath, path]));
  const base = URL.parse(before.site.address ?? '')?.pathname;
  const counts = new Map<string, number>();
  for (const { path, total } of rows) {
    // The base path of a site may stand in them, or not.
    const end = links.resolve(`${path}/` === base ? '/' : path, '');
    const page = end.kind === 'page' ? pathsAfter.get(end.file) : undefined;
    if (page !== undefined) {
      counts.set(page, Math.max(total, counts.get(page) ?? 0));
    }
  }
  return counts;
}
