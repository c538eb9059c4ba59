import type { CommentKeeper, Content } from '../../github/comment.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Clock } from '../../runner/clock.ts';

/** Keeps the comment up to date without delaying the step. */
export interface CommentWriter {
  /**
   * Writes the content in the background. Newer content replaces what was not written yet. Never
   * rejects.
   * @returns whether the comment could be written
   */
  show(content: Content): Promise<boolean>;
  /** Writes the final content, and waits for it up to a limit. Never throws. */
  finish(content: Content): Promise<void>;
}

interface CommentWriterDeps {
  readonly keeper: CommentKeeper;
  readonly clock: Clock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Stops the keeper. */
  readonly stop: AbortController;
  /** Called each time the comment could not be written. */
  readonly onProblem: (failure: RequestFailure) => void;
}

/** The comment is optional, so the step waits no longer than this for it, all retries included. */
export const limitMs = 10_000;

/** A cancelled step has to end within 2 s in total. */
export const stoppedLimitMs = 1500;

export function createCommentWriter(deps: CommentWriterDeps): CommentWriter {
  let wanted: Content | undefined;
  let writing: Promise<boolean> | undefined;

  const writeAll = async (): Promise<boolean> => {
    let isWritten = false;
    while (wanted !== undefined) {
      const content = wanted;
      wanted = undefined;
      isWritten = await write(content, deps);
    }
    writing = undefined;
    return isWritten;
  };

  return {
    show(content) {
      wanted = content;
      writing ??= writeAll();
      return writing;
    },
    async finish(content) {
      const writing = this.show(content);
      const done = new AbortController();
      const limit = stopInTime(deps, done.signal);
      await writing;
      done.abort();
      await limit;
    },
  };
}

async function write(
  content: Content,
  { keeper, stop, onProblem }: CommentWriterDeps,
): Promise<boolean> {
  try {
    const written = await keeper.write(content);
    if (written.kind === 'failed') {
      onProblem(written);
    }
    return written.kind === 'written';
  } catch (error) {
    // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
    const problem = stop.signal.aborted ? 'GitHub did not respond in time' : String(error);
    onProblem({ problem, isRefusal: false });
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
