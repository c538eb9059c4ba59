import type { CommentKeeper } from '../../github/comment.ts';
import type { Clock } from '../../runner/clock.ts';

/** What the comment is to say. */
interface News {
  readonly text: string;
  readonly jobId: string;
  /** Of the job's pull request; empty for none. */
  readonly link: string;
}

/** Keeps the one comment up to date without holding the step up. */
export interface CommentWriter {
  /** Writes this soon; returns at once. What is newer replaces what has not been written yet. */
  show(news: News): void;
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
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    while (wanted !== undefined) {
      const news = wanted;
      wanted = undefined;
      await write(news, deps);
    }
    writing = undefined;
  };

  return {
    show(news) {
      wanted = news;
      writing ??= writeAll();
    },
    async finish(news) {
      this.show(news);
      const done = new AbortController();
      const limit = stopInTime(deps, done.signal);
      await writing;
      done.abort();
      await limit;
    },
  };
}

async function write(
  { text, jobId, link }: News,
  { keeper, stop, onProblem }: CommentWriterDeps,
): Promise<void> {
  try {
    const written = await keeper.write(text, jobId, link);
    if (written.kind === 'failed') {
      onProblem(written.problem, written.isRefusal);
    }
  } catch (error) {
    // An aborted delay throws; anything else is a mistake that a step survives.
    onProblem(stop.signal.aborted ? 'GitHub did not respond in time' : String(error), false);
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
