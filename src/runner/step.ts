import { CancelledError, debugText } from '../text/error.ts';
import type { Runner } from './runner.ts';

interface Action<Result> {
  run(): Promise<Result>;
  /** The result for an error that `run` threw. */
  resultOf(error: unknown): Result;
  conclude(result: Result): Conclusion;
}

/** How a step ends: its outputs, whether it fails, and what people read. */
export interface Conclusion {
  readonly writeOutputs: () => void;
  /** How the message is logged; `failure` makes the step fail. */
  readonly level: 'info' | 'notice' | 'warning' | 'failure';
  /** The sentence that the log ends with. */
  readonly message: string;
  /** The summary in Markdown. */
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
  const { log, signal } = runner;
  const run = async (): Promise<Result> => {
    runner.checkOutputs();
    return await action.run();
  };
  const conclusion = await Promise.race([run(), rejectAfterUncaughtError(runner)])
    .catch((error: unknown) => action.resultOf(error))
    .then((result) => action.conclude(result))
    .catch((error: unknown) => fallbackConclusion(error, runner));
  // The outputs come first, because a cancelled step has little time.
  conclusion.writeOutputs();
  await runner.writeSummary(conclusion.summary);
  await conclusion.afterwards?.().catch((error: unknown) => log.debug(debugText(error)));
  if (conclusion.level === 'failure') {
    runner.fail(conclusion.message);
  } else {
    log[conclusion.level](conclusion.message);
  }
  if (signal.aborted) {
    // Name lookups, new connections, and an action whose callback failed cannot be aborted.
    runner.exit();
  }
}

/** Resolves once the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
}

/** The time that an action has to stop: it drops requests and removes unfinished files. */
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

/** Ends a step whose action could not conclude its own result. */
function fallbackConclusion(error: unknown, { log, setOutput }: Runner): Conclusion {
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
}
