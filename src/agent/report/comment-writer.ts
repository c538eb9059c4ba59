import type { CommentKeeper, News } from '../../github/comment.ts';
import type { Clock } from '../../runner/clock.ts';

/** Keeps the one comment up to date without holding the step up. */
export interface CommentWriter {
  /**
   * Writes this soon. What is newer replaces what has not been written yet. Never rejects.
   * @returns whether the comment could be written
   */
  show(news: News): Promise<boolean>;
  /** Writes this last, and waits a little for it. Never throws. */
  finish(news: News): Promise<void>;
}

export interface CommentWriterDeps {
  readonly keeper: CommentKeeper;
  readonly clock: Clock;
  /** Is aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Stops the keeper. */
  readonly stop: AbortController;
  /** Called each time the comment could not be written. */
  readonly onProblem: (problem: string, isRefusal: boolean) => void;
}

/** The comment is a courtesy: the step waits for it no longer than this, altogether. */
const limitMs = 10_000;

/** A cancelled step has to end within 2 s, its outputs included. */
const stoppedLimitMs = 1500;

export function createCommentWriter(deps: CommentWriterDeps): CommentWriter {
  let wanted: News | undefined;
  let writing: Promise<boolean> | undefined;

  const writeAll = async (): Promise<boolean> => {
    let isWritten = false;
    while (wanted !== undefined) {
      const news = wanted;
      wanted = undefined;
      isWritten = await write(news, deps);
    }
    writing = undefined;
    return isWritten;
  };

  return {
    show(news) {
      wanted = news;
      writing ??= writeAll();
      return writing;
    },
    async finish(news) {
      const writing = this.show(news);
      const done = new AbortController();
      const limit = stopInTime(deps, done.signal);
      await writing;
      done.abort();
      await limit;
    },
  };
}

async function write(news: News, { keeper, stop, onProblem }: CommentWriterDeps): Promise<boolean> {
  try {
    const written = await keeper.write(news);
    if (written.kind === 'failed') {
      onProblem(written.problem, written.isRefusal);
    }
    return written.kind === 'written';
  } catch (error) {
    // An aborted delay throws; anything else is a mistake that a step survives.
    onProblem(stop.signal.aborted ? 'GitHub did not respond in time' : String(error), false);
    return false;
  }
}

/** Stops the keeper when the time is over, unless `done` comes first. */
async function stopInTime(
  { clock, signal: stopped, stop }: CommentWriterDeps,
  done: AbortSignal,
): Promise<void> {
  const wait = (durationMs: number, signal: AbortSignal): Promise<void> =>
    clock.sleep(durationMs, signal).catch(() => {});
  await wait(limitMs, AbortSignal.any([stopped, done]));
  if (stopped.aborted) {
    await wait(stoppedLimitMs, done);
  }
  if (!done.aborted) {
    stop.abort();
  }
}
