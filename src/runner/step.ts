import * as core from '@actions/core';
import { logLine } from '../text/log.ts';
import { type Cache, cacheVariables, createCache } from './cache.ts';
import { type Clock, realClock } from './clock.ts';
import { type Environment, type ProxySettings, readEnvironment, readProxy } from './environment.ts';
import { CancelledError } from './errors.ts';
import { type Inputs, runnerInputs } from './inputs.ts';
import { type Log, runnerLog } from './log.ts';
import { type OutputSink, type OutputValue, runnerOutputs } from './outputs.ts';
import { watchForStop } from './signals.ts';

/** The parts of the Actions runner that an action uses. */
export interface Runner extends OutputSink {
  readonly inputs: Inputs;
  readonly environment: Environment;
  /** @throws EnvironmentError if a proxy variable is invalid */
  readonly readProxy: () => ProxySettings;
  /** @param entry the action's entry, which also runs as the process that talks to the cache service */
  readonly createCache: (entry: URL) => Cache;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Aborted when the step has to stop: with a `CancelledError` if the run is cancelled, or with an
   * uncaught error.
   */
  readonly signal: AbortSignal;
  /** Writes an output at once, so that later errors cannot prevent it. */
  setOutput(name: string, value: OutputValue): void;
}

/** An action, as one step of a workflow. */
export interface Action<Result> {
  run(): Promise<Result>;
  /** The result for an error that `run` threw. */
  resultOf(error: unknown): Result;
  conclude(result: Result): Conclusion;
}

/** How a step ends: its outputs, whether it fails, and what people read. */
export interface Conclusion {
  /** Writes the outputs; can throw if the disk is full. */
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
export async function runStep<Result>(prepare: (runner: Runner) => Action<Result>): Promise<void> {
  const runner: Runner = {
    inputs: runnerInputs,
    environment: readEnvironment(process.env),
    readProxy: () => readProxy(process.env),
    createCache: (entry) => createCache(entry, cacheVariables(process.env)),
    clock: realClock,
    log: runnerLog,
    signal: watchForStop(process),
    ...runnerOutputs,
  };
  await finish(await runAction(prepare(runner), runner).catch(fallbackConclusion));
  if (runner.signal.aborted) {
    exitAfterLog();
  }
}

async function runAction<Result>(action: Action<Result>, runner: Runner): Promise<Conclusion> {
  const running = Promise.race([action.run(), rejectAfterGrace(runner)]);
  return action.conclude(await running.catch((error: unknown) => action.resultOf(error)));
}

/** An action needs a moment to stop: it drops requests and removes unfinished files. */
const graceMs = 1000;

/** Rejects soon after an uncaught error, because the action may be waiting for something forever. */
export function rejectAfterGrace({
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
function fallbackConclusion(error: unknown): Conclusion {
  core.debug(logLine(`The step could not be concluded: ${describe(error)}`));
  const message =
    'This action hit an internal error while it was ending: check the outputs and the log to see how far it got, and report what the log says with debug logging enabled.';
  return {
    writeOutputs() {
      runnerOutputs.setOutput('result', 'error');
      runnerOutputs.setOutput('reason', 'internal-error');
      runnerOutputs.setOutput('message', message);
    },
    level: 'failure',
    message,
    summary: '',
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Exits once the log is flushed. Node would not exit by itself in time, because name lookups, new
 * connections, and an action whose callback failed cannot be aborted.
 */
function exitAfterLog(): void {
  process.stdout.write('', () => process.exit());
}

/** Writes the outputs first, because a cancelled step has little time. */
async function finish(conclusion: Conclusion): Promise<void> {
  const { writeOutputs, level, message, summary, afterwards } = conclusion;
  const problem = tryToWriteOutputs(writeOutputs) ?? (await writeSummary(summary));
  await afterwards?.().catch((error: unknown) => core.debug(logLine(describe(error))));
  if (problem !== undefined) {
    core.info(logLine(problem));
  }
  announce[level](logLine(message));
}

const announce: Record<Conclusion['level'], (line: string) => void> = {
  info: (line) => core.info(line),
  notice: (line) => core.notice(line),
  warning: (line) => core.warning(line),
  failure: (line) => core.setFailed(line),
};

/** If the outputs cannot be written, the step still has to report how it ended. */
function tryToWriteOutputs(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    process.exitCode = core.ExitCode.Failure;
    return `The outputs could not be written: ${String(error)}`;
  }
}

/** Old versions of GitHub Enterprise Server have no summaries, so an error here is ignored. */
async function writeSummary(summary: string): Promise<string | undefined> {
  try {
    await core.summary.addRaw(summary, true).write();
    return undefined;
  } catch (error) {
    core.debug(logLine(`The summary could not be written: ${String(error)}`));
    return undefined;
  }
}
