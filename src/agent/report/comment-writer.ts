import type { CommentKeeper } from '../github/comment.ts';
import type { Clock } from '../runner/clock.ts';

/** Keeps the one comment current without holding the step up. */
export interface Commenter {
  /** Has the comment say this soon; returns at once. What is newer replaces what waits. */
  show(text: string, jobId: string, link?: string): void;
  /**
   * Has the comment say this last, and waits for that a little. Never throws.
   * @param link of the job's pull request; empty for none
   */
  finish(text: string, jobId: string, link?: string): Promise<void>;
}

export interface CommenterWorld {
  readonly keeper: CommentKeeper;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
  /** Breaks the keeper off. */
  readonly stop: AbortController;
  /** Told of each time that the comment could not be written. */
  readonly onProblem: (problem: string, isRefusal: boolean) => void;
}

/** The comment is a courtesy: the step waits for it no longer than this, altogether. */
const patienceMs = 10_000;

/** A cancelled step has to end within 2 s, its outputs included. */
const cancelledPatienceMs = 1500;

export function createCommenter(world: CommenterWorld): Commenter {
  let wanted: News | undefined;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    while (wanted !== undefined) {
      const news = wanted;
      wanted = undefined;
      await write(news, world);
    }
    writing = undefined;
  };

  return {
    show(text, jobId, link = '') {
      wanted = { text, jobId, link };
      writing ??= writeAll();
    },
    async finish(text, jobId, link) {
      this.show(text, jobId, link);
      const done = new AbortController();
      const limit = waitALittle(world, done.signal);
      await writing;
      done.abort();
      await limit;
    },
  };
}

interface News {
  readonly text: string;
  readonly jobId: string;
  readonly link: string;
}

async function write(
  { text, jobId, link }: News,
  { keeper, stop, onProblem }: CommenterWorld,
): Promise<void> {
  try {
    const written = await keeper.write(text, jobId, link);
    if (written.kind === 'failed') {
      onProblem(written.problem, written.isRefusal);
    }
  } catch (error) {
    // Breaking off ends a pause by throwing; anything else is a mistake that a step outlives.
    onProblem(stop.signal.aborted ? 'GitHub did not answer in time' : String(error), false);
  }
}

/** Breaks the keeper off when the time is over, unless `done` comes first. */
async function waitALittle(
  { clock, cancelled, stop }: CommenterWorld,
  done: AbortSignal,
): Promise<void> {
  const wait = (durationMs: number, signal: AbortSignal): Promise<void> =>
    clock.sleep(durationMs, signal).catch(() => {});
  await wait(patienceMs, AbortSignal.any([cancelled, done]));
  if (cancelled.aborted) {
    await wait(cancelledPatienceMs, done);
  }
  if (!done.aborted) {
    stop.abort();
  }
}
