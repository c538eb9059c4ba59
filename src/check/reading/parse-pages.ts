import { inParallel } from '../../network/in-parallel.ts';
import type { RetryClock } from '../../network/retry.ts';
import { type BoundedResult, runBounded, workerBeside } from '../../runner/bounded-process.ts';
import type { Page } from '../docs/page.ts';

/** A page or snippet to parse. */
export interface PageText {
  readonly path: string;
  readonly text: string;
}

export interface ParseDeps {
  readonly clock: Pick<RetryClock, 'nowMs'>;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Parses a batch within limits; by default in a process of its own. */
  readonly parseBatch?: (
    batch: readonly PageText[],
    timeoutMs: number,
    signal: AbortSignal,
  ) => Promise<BoundedResult<readonly Page[]>>;
}

/** The runners that GitHub hosts have two cores or more. */
const workersAtOnce = 2;

/** A worker takes a tenth of a second to start, and a second or two for so much text. */
const mostPages = 150;
const mostCharacters = 600_000;

/** Real pages take less than a tenth of the time, even on a busy machine. */
const timeoutMs = 3_000;
const timeoutMsForThousandCharacters = 15;

/** Several times as much as the largest real page needs. */
const memoryMb = 512;

/** After this, no further batch is begun: nobody waits longer for a verdict. */
const overallMs = 90_000;

/**
 * Parses pages in processes with hard limits. If a batch reaches a limit, it is halved, until the page
 * that takes too much is alone; that one gets a `problem`.
 *
 * @returns the pages in the order of the texts; `undefined` for those that the overall time left out
 * @throws the signal's reason if the run is cancelled
 */
export async function parsePages(
  texts: readonly PageText[],
  deps: ParseDeps,
): Promise<readonly (Page | undefined)[]> {
  const endMs = deps.clock.nowMs() + overallMs;
  const pages = await inParallel(batchesOf(texts), workersAtOnce, (batch) =>
    parseOrHalve(batch, endMs, deps),
  );
  return pages.flat();
}

/** Splits texts, in their order, into batches for one worker each. */
function batchesOf(texts: readonly PageText[]): readonly (readonly PageText[])[] {
  const batches: PageText[][] = [];
  let characters = 0;
  for (const page of texts) {
    const last = batches.at(-1);
    characters += page.text.length;
    if (last === undefined || last.length === mostPages || characters > mostCharacters) {
      batches.push([page]);
      characters = page.text.length;
    } else {
      last.push(page);
    }
  }
  return batches;
}

async function parseOrHalve(
  batch: readonly PageText[],
  endMs: number,
  deps: ParseDeps,
): Promise<readonly (Page | undefined)[]> {
  if (deps.clock.nowMs() > endMs) {
    return batch.map(() => undefined);
  }
  const characters = batch.reduce((sum, { text }) => sum + text.length, 0);
  const limitMs = timeoutMs + (characters / 1000) * timeoutMsForThousandCharacters;
  const parse = deps.parseBatch ?? parseInProcess;
  const result = await parse(batch, limitMs, deps.signal);
  if (result.kind === 'done') {
    return batch.map((_, index) => result.output[index]);
  }
  if (batch.length === 1) {
    return [exhaustingPage];
  }
  const middle = Math.ceil(batch.length / 2);
  return [
    ...(await parseOrHalve(batch.slice(0, middle), endMs, deps)),
    ...(await parseOrHalve(batch.slice(middle), endMs, deps)),
  ];
}

function parseInProcess(
  batch: readonly PageText[],
  limitMs: number,
  signal: AbortSignal,
): Promise<BoundedResult<readonly Page[]>> {
  const worker = workerBeside(import.meta.url, 'pages.worker');
  return runBounded(worker, batch, { timeoutMs: limitMs, memoryMb, signal });
}

const exhaustingPage: Page = {
  problem: { what: 'takes too much time or memory to be parsed', line: undefined },
  frontMatter: [],
  headings: [],
  anchors: [],
  links: [],
  imports: [],
  code: [],
  samples: [],
  forAgents: [],
  prose: [],
};
