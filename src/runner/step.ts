import { CancelledError, debugText } from '../text/error.ts';
import type { Runner } from './runner.ts';

/** An action, as one step of a workflow. */
interface Action<Result> {
  run(): Promise<Result>;
  /** The result for an error that `run` threw. */
  resultOf(error: unknown): Result;
  conclude(result: Result): Conclusion;
}

/** How a step ends: its outputs, whether it fails, and what people read. */
export interface Conclusion {
  /** Writes the outputs. */
  readonly writeOutputs: () => void;
  /** How the message is logged; `failure` makes the step fail. */
  readonly level: 'info' | 'notice' | 'warning' | 'failure';
  /** The sentence that the log ends with. */
  readonly message: string;
  /** The summary, in Markdown. */
  readonly summary: string;
  /** Runs after the outputs and the summary are written, because it can take a while. */
  readonly afterwards?: () => Promise<void>;
}

/**
 * Runs an action as one step of a workflow.
 *
 * Only this function catches the errors of an action, including those in callbacks, and only this
 * function fails the step. It sets the exit code and lets Node exit by itself, because `process.exit()`
 * could cut off the log. Only a step that was stopped exits explicitly.
 */
export async function runStep<Result>(runner: Runner, action: Action<Result>): Promise<void> {
  await finish(await runAction(action, runner).catch(fallbackConclusion(runner)), runner);
  if (runner.signal.aborted) {
    // Name lookups, new connections, and an action whose callback failed cannot be aborted.
    runner.exit();
  }
}

async function runAction<Result>(action: Action<Result>, runner: Runner): Promise<Conclusion> {
  const running = Promise.race([action.run(), rejectAfterUncaughtError(runner)]);
  return action.conclude(await running.catch((error: unknown) => action.resultOf(error)));
}

/** An action needs a moment to stop: it drops requests and removes unfinished files. */
const graceMs = 1000;

/** Rejects soon after an uncaught error, because the action may be waiting for something forever. */
export function rejectAfterUncaughtError({
  signal,
  clock,
}: Pick<Runner, 'signal' | 'clock'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      if (!(signal.reason instanceof CancelledError)) {
        const { signal: never } = new AbortController();
        void clock.sleep(graceMs, never).then(() => reject(signal.reason));
      }
    });
  });
}

/** The conclusion if the action's own `conclude` fails. */
function fallbackConclusion({ log, setOutput }: Runner): (error: unknown) => Conclusion {
  return (error) => {
    log.debug(`The step could not be concluded: ${debugText(error)}`);
    const message =
      'This action hit an internal error while it was ending: check the outputs and the log to see how far it got, and report what the log says with debug logging enabled.';
    return {
      writeOutputs() {
        setOutput('result', 'error');
        setOutput('reason', 'internal-error');
        setOutput('message', message);
      },
      level: 'failure',
      message,
      summary: '',
    };
  };
}

/** Writes the outputs first, because a cancelled step has little time. */
async function finish(conclusion: Conclusion, { log, writeSummary, fail }: Runner): Promise<void> {
  const { writeOutputs, level, message, summary, afterwards } = conclusion;
  writeOutputs();
  await writeSummary(summary);
  await afterwards?.().catch((error: unknown) => log.debug(debugText(error)));
  if (level === 'failure') {
    fail(message);
  } else {
    log[level](message);
  }
}
