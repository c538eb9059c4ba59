import * as core from '@actions/core';
import { logLine } from '../text/log.ts';
import { type Clock, realClock } from './clock.ts';
import { type Environment, type ProxySettings, readEnvironment, readProxy } from './environment.ts';
import { type Inputs, runnerInputs } from './inputs.ts';
import { type Log, runnerLog } from './log.ts';
import { type OutputTaker, type OutputValue, runnerOutputs, writeOutputs } from './outputs.ts';
import { watchForCancel } from './signals.ts';

/** Everything of the Actions runner that a story uses. */
export interface Runner extends OutputTaker {
  readonly inputs: Inputs;
  readonly environment: Environment;
  /** @throws EnvironmentError when a proxy variable cannot be used */
  readonly readProxy: () => ProxySettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Fires when the run is cancelled; its reason is a `CancelledError`. */
  readonly cancelled: AbortSignal;
  /** Writes an output of the step at once, so that it is there whatever happens later. */
  setOutput(name: string, value: OutputValue): void;
}

/** How a step ends: what it hands on, whether it fails, and what people read. */
export interface Conclusion {
  readonly outputs: Readonly<Record<string, OutputValue>>;
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
 * Runs a story as one step of a workflow.
 *
 * This is the only place that catches what a story throws, and the only one that makes a step
 * fail. The exit code is left for Node to use when it ends by itself, unless the run was cancelled:
 * `process.exit()` would cut the log short.
 *
 * @param story does the work
 * @param conclude turns whatever the story threw, a `CancelledError` included, into a conclusion
 */
export async function runStep(
  story: (runner: Runner) => Promise<Conclusion>,
  conclude: (error: unknown, runner: Runner) => Conclusion,
): Promise<void> {
  const runner: Runner = {
    inputs: runnerInputs,
    environment: readEnvironment(process.env),
    readProxy: () => readProxy(process.env),
    clock: realClock,
    log: runnerLog,
    cancelled: watchForCancel(process),
    ...runnerOutputs,
  };
  await finish(await story(runner).catch((error: unknown) => conclude(error, runner)));
  if (runner.cancelled.aborted) {
    leave();
  }
}

/**
 * Ends a cancelled step once everything printed is out. A name lookup or a connection that is being
 * made cannot be broken off, and would keep the process past the runner's patience.
 */
function leave(): void {
  process.stdout.write('', () => process.exit());
}

/** Outputs first: a cancelled step may have little time left. */
async function finish(conclusion: Conclusion): Promise<void> {
  const { outputs, level, message, summary, afterwards } = conclusion;
  const problem = tryToWriteOutputs(outputs) ?? (await writeSummary(summary));
  await afterwards?.();
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
function tryToWriteOutputs(outputs: Conclusion['outputs']): string | undefined {
  try {
    writeOutputs(runnerOutputs, outputs);
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
