import * as core from '@actions/core';
import { timeLimit } from '../network/timer.ts';
import { CancelledError } from '../text/error.ts';

/**
 * The process that hosts the step. Tests pass a host of their own, and so run a whole action in their own process.
 * A host prints text as it is. Only `createRunner`, which escapes it, uses a host.
 */
export interface Host
  extends Pick<
    typeof core,
    'info' | 'debug' | 'notice' | 'warning' | 'error' | 'startGroup' | 'endGroup' | 'setSecret'
  > {
  readonly env: NodeJS.ProcessEnv;
  /** The path of the script that the process was started with. */
  readonly entry: string;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Aborted when the process gets a second signal. */
  readonly secondSignal: AbortSignal;
  /** @throws if the file of the outputs cannot be written */
  setOutput(name: string, value: string): void;
  /** Appends Markdown to the summary; rejects if that cannot be written. */
  writeSummary(markdown: string): Promise<unknown>;
  /** Unlike `core.setFailed`, it logs nothing. */
  setFailed(): void;
  /** Ends the process once the log is flushed. */
  exit(): void;
}

export function hostOf(nodeProcess: NodeJS.Process): Host {
  return {
    ...core,
    env: nodeProcess.env,
    entry: nodeProcess.argv[1] ?? '',
    ...watchForStop(nodeProcess),
    writeSummary: (markdown) => core.summary.addRaw(markdown, true).write(),
    setFailed() {
      nodeProcess.exitCode = core.ExitCode.Failure;
    },
    exit: () => nodeProcess.stdout.write('', () => nodeProcess.exit()),
  };
}

/**
 * GitHub's runner sends SIGINT, and later SIGTERM (on Windows SIGBREAK), when a run is cancelled. SIGHUP comes
 * from a terminal that is closed.
 */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] as const;

/** How long the process lives on after a second signal. */
const secondSignalMs = 900;

/**
 * Jobs with `container:` get no process signal. There, only the log's pipe breaks, so a broken stdout
 * also counts as a cancel. The listeners also keep later signals, pipe errors and uncaught errors from
 * killing the process before the outputs are written.
 */
export function watchForStop(nodeProcess: NodeJS.Process): Pick<Host, 'signal' | 'secondSignal'> {
  const stop = new AbortController();
  const second = new AbortController();
  let hasSignal = false;
  const cancel = (why: string) => stop.abort(new CancelledError(why));
  for (const name of stopSignals) {
    nodeProcess.on(name, () => {
      if (hasSignal) {
        second.abort();
        const over = timeLimit(secondSignalMs);
        over.addEventListener('abort', () => nodeProcess.exit(core.ExitCode.Failure));
      }
      hasSignal = true;
      cancel(`received ${name}`);
    });
  }
  nodeProcess.stdout.on('error', () => cancel('the log is no longer read'));
  // Errors in callbacks. Node turns unhandled rejections into the same event.
  nodeProcess.on('uncaughtException', (reason: unknown) => stop.abort(reason));
  return { signal: stop.signal, secondSignal: second.signal };
}
