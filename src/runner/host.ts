import {
  debug,
  ExitCode,
  endGroup,
  error,
  info,
  notice,
  setOutput,
  setSecret,
  startGroup,
  summary,
  warning,
} from '@actions/core';
import { CancelledError } from '../text/error.ts';
import { createRunner, type Runner } from './runner.ts';

/**
 * The process that hosts the step. Tests pass another one, and so run a whole action in their own process.
 * It escapes nothing: only `createRunner` uses it.
 */
export interface Host {
  readonly info: typeof info;
  readonly debug: typeof debug;
  readonly notice: typeof notice;
  readonly warning: typeof warning;
  readonly error: typeof error;
  readonly startGroup: typeof startGroup;
  readonly endGroup: typeof endGroup;
  readonly setSecret: typeof setSecret;
  readonly env: NodeJS.ProcessEnv;
  /** The path of the script that the process was started with. */
  readonly entry: string;
  /**
   * Aborted when the step has to stop: with a `CancelledError` if the run is cancelled, or with the first
   * uncaught error.
   */
  readonly signal: AbortSignal;
  /** @throws if the file of the outputs cannot be written */
  setOutput(name: string, value: string): void;
  /** Appends Markdown to the summary; rejects if that cannot be written. */
  writeSummary(markdown: string): Promise<unknown>;
  /** Makes the step fail, without a word. */
  setFailed(): void;
  /** Ends the process once the log is flushed. */
  exit(): void;
}

/** The runner of the step that this process is. */
export function runnerOf(nodeProcess: NodeJS.Process): Runner {
  return createRunner(hostOf(nodeProcess));
}

function hostOf(nodeProcess: NodeJS.Process): Host {
  return {
    info,
    debug,
    notice,
    warning,
    error,
    startGroup,
    endGroup,
    setSecret,
    setOutput,
    env: nodeProcess.env,
    entry: nodeProcess.argv[1] ?? '',
    signal: watchForStop(nodeProcess),
    writeSummary: (markdown) => summary.addRaw(markdown, true).write(),
    setFailed() {
      nodeProcess.exitCode = ExitCode.Failure;
    },
    exit: () => nodeProcess.stdout.write('', () => nodeProcess.exit()),
  };
}

/** The runner sends these when a run is cancelled; SIGBREAK is the second stage on Windows. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * Jobs with `container:` get no process signal. There, only the log's pipe breaks, so a broken stdout
 * also counts as a cancel. The listeners also keep later signals, pipe errors and uncaught errors from
 * killing the process before the outputs are written.
 */
export function watchForStop(nodeProcess: NodeJS.Process): AbortSignal {
  const stop = new AbortController();
  const cancel = (why: string) => stop.abort(new CancelledError(why));
  for (const name of cancelSignals) {
    nodeProcess.on(name, () => cancel(`received ${name}`));
  }
  nodeProcess.stdout.on('error', () => cancel('the log is no longer read'));
  // Errors in callbacks. Node turns unhandled rejections into the same event.
  nodeProcess.on('uncaughtException', (reason: unknown) => stop.abort(reason));
  return stop.signal;
}
