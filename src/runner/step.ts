import * as core from '@actions/core';
import { logLine } from '../text/log.ts';
import { type Cache, cacheVariables, createCache } from './cache.ts';
import { type Clock, realClock } from './clock.ts';
import { type Environment, type ProxySettings, readEnvironment, readProxy } from './environment.ts';
import { CancelledError } from './errors.ts';
import { type Inputs, runnerInputs } from './inputs.ts';
import { type Log, runnerLog } from './log.ts';
import { type OutputTaker, type OutputValue, runnerOutputs } from './outputs.ts';
import { watchForStop } from './signals.ts';

/** Everything of the Actions runner that an action uses. */
export interface Runner extends OutputTaker {
  readonly inputs: Inputs;
  readonly environment: Environment;
  /** @throws EnvironmentError when a proxy variable cannot be used */
  readonly readProxy: () => ProxySettings;
  /** @param entry the action's entry, which also runs as the process that talks to the cache service */
  readonly createCache: (entry: URL) => Cache;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Is aborted when the step has to stop: with a `CancelledError` when the run is cancelled, otherwise
   * with the error that nothing caught.
   */
  readonly signal: AbortSignal;
  /** Writes an output of the step at once, so that it is there whatever happens later. */
  setOutput(name: string, value: OutputValue): void;
}

/** An action, as one step of a workflow. */
export interface Action<Result> {
  run(): Promise<Result>;
  /** The result of whatever `run` threw. */
  resultOf(error: unknown): Result;
  conclude(result: Result): Conclusion;
}

/** How a step ends: what it hands on, whether it fails, and what people read. */
export interface Conclusion {
  /** Writes what the next steps get; may throw when the disk is full. */
  readonly writeOutputs: () => void;
  /** How the closing sentence is shown; `failure` makes the step fail. */
  readonly level: 'info' | 'notice' | 'warning' | 'failure';
  /** The one sentence that the log ends with. */
  readonly message: string;
  /** Markdown for the run's page. */
  readonly summary: string;
  /** What is left to do once outputs and summary are written. It may take a while, but never fails. */
  readonly afterwards?: () => Promise<void>;
}

/**
 * Runs an action as one step of a workflow.
 *
 * This is the only place that catches what an action throws, in callbacks too, and the only one that
 * makes a step fail. The exit code is left for Node to use when it ends by itself, unless the step was
 * stopped: `process.exit()` would cut the log short.
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
  await finish(await runAction(prepare(runner), runner).catch(lastWords));
  if (runner.signal.aborted) {
    leave();
  }
}

async function runAction<Result>(action: Action<Result>, runner: Runner): Promise<Conclusion> {
  const running = Promise.race([action.run(), rejectAfterGrace(runner)]);
  return action.conclude(await running.catch((error: unknown) => action.resultOf(error)));
}

/** Stopping takes moments: requests are dropped, and unfinished files are removed. */
const graceMs = 1000;

/** Rejects soon after an error that nothing caught: an action that waits for it would never end. */
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

/** The conclusion for when even concluding fails. */
function lastWords(error: unknown): Conclusion {
  core.debug(logLine(`The step could not be concluded: ${describe(error)}`));
  const message =
    'This action hit an internal error while it was ending: see in the outputs and in the log how far it got, and report what the log says with debug logging switched on.';
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
 * Ends a step that was stopped once everything printed is out. A name lookup or a connection that
 * is being made cannot be aborted, and would keep the process past the runner's limit; neither can an
 * action that goes on after a callback failed.
 */
function leave(): void {
  process.stdout.write('', () => process.exit());
}

/** Outputs first: a cancelled step may have little time left. */
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

/** A full disk or a missing file must not hide how the step ended. */
function tryToWriteOutputs(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    process.exitCode = core.ExitCode.Failure;
    return `The outputs could not be written: ${String(error)}`;
  }
}

/** Old Enterprise servers have no summaries; a step does not fail for want of one. */
async function writeSummary(summary: string): Promise<string | undefined> {
  try {
    await core.summary.addRaw(summary, true).write();
    return undefined;
  } catch (error) {
    core.debug(logLine(`The summary could not be written: ${String(error)}`));
    return undefined;
  }
}
