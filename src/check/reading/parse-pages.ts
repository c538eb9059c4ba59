import type { RetryClock } from '../../network/retry.ts';
import { runBounded, workerBeside } from '../../runner/bounded-process.ts';
import { emptyPage, type Page } from '../docs/page.ts';
import { inBatches, inParallel } from '../github/in-parallel.ts';

/** A page or snippet to parse. */
export interface PageText {
  readonly path: string;
  readonly text: string;
}

export interface ParseDeps {
  readonly clock: Pick<RetryClock, 'nowMs'>;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Parses pages within limits; by default in a process of its own. */
  readonly parseBatch?: ParseBatch;
}

/**
 * Parses pages in their order, and passes each to `onPage`. The time counts for each page.
 * @returns `exhausted` if the first page that was not passed reached a limit
 */
export type ParseBatch = (
  batch: readonly PageText[],
  timeoutMs: number,
  onPage: (page: Page) => void,
  signal: AbortSignal,
) => Promise<'done' | 'exhausted'>;

/** The runners that GitHub hosts have two cores or more. */
const workersAtOnce = 2;

/** A worker takes a quarter of a second to start, and a second or two for so much text. */
const batchLimits = {
  mostItems: 150,
  mostSize: 300_000,
  sizeOf: ({ text }: PageText) => text.length,
};

/** For one page. Real pages take a hundredth of the time. */
const timeoutMs = 8_000;
const timeoutMsForThousandCharacters = 10;

/** Several times as much as the largest real page needs. */
const memoryMb = 512;

/** After this, no further batch is begun: nobody waits longer for a verdict. */
const overallMs = 90_000;

/**
 * Parses pages in processes with hard limits. A page that reaches a limit gets a `problem`, and another
 * process continues with the pages after it.
 *
 * @returns the pages in the order of the texts; `undefined` for those that the overall time left out
 * @throws the signal's reason if the run is cancelled
 */
export async function parsePages(
  texts: readonly PageText[],
  deps: ParseDeps,
): Promise<readonly (Page | undefined)[]> {
  const endMs = deps.clock.nowMs() + overallMs;
  const pages = await inParallel(inBatches(texts, batchLimits), workersAtOnce, (batch) =>
    parseBatch(batch, endMs, deps),
  );
  return pages.flat();
}

async function parseBatch(
  batch: readonly PageText[],
  endMs: number,
  { clock, signal, parseBatch: parse = parseInProcess }: ParseDeps,
): Promise<readonly (Page | undefined)[]> {
  const longest = Math.max(...batch.map(({ text }) => text.length));
  const limitMs = timeoutMs + (longest / 1000) * timeoutMsForThousandCharacters;
  const pages: (Page | undefined)[] = [];
  while (pages.length < batch.length && clock.nowMs() <= endMs) {
    const rest = batch.slice(pages.length);
    const result = await parse(rest, limitMs, (page) => pages.push(page), signal);
    if (result === 'exhausted' && pages.length < batch.length) {
      pages.push(exhaustingPage);
    }
  }
  return batch.map((_, index) => pages[index]);
}

const parseInProcess: ParseBatch = async (batch, limitMs, onPage, signal) => {
  const worker = workerBeside(import.meta.url, 'pages.worker');
  const bounds = { timeoutMs: limitMs, memoryMb, signal };
  // The worker is this action's own, and plain data crosses the process as it is.
  const onPart = (page: unknown) => onPage(page as Page);
  const { kind } = await runBounded(worker, batch, bounds, { onPart });
  return kind;
};

const exhaustingPage: Page = {
  ...emptyPage,
  problem: { what: 'takes too much time or memory to be parsed', line: undefined },
};
