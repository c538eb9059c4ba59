import { closeSync, constants, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProxyRoutes } from '../network/http.ts';
import { codeOf, variableError } from '../text/error.ts';
import { outputJson, outputLine } from '../text/output.ts';
import { counted } from '../text/plain.ts';
import { type Cache, createCache } from './cache.ts';
import { type Clock, realClock } from './clock.ts';
import { type Environment, readEnvironment, readProxy } from './environment.ts';
import { type Host, hostOf } from './host.ts';
import { createInputs, type Inputs } from './inputs.ts';
import { createLog, type Log } from './log.ts';

/** The value of an output: text, or JSON that stays valid after escaping. */
export type OutputValue =
  | string
  | {
      readonly json: string;
      /** How many entries of a list did not fit; missing if all fit. */
      readonly leftOut?: number;
    };

/** The Actions runner, as far as an action uses it: everything outside the step, apart from the network. */
export interface Runner {
  readonly inputs: Inputs;
  readonly environment: Environment;
  /** @throws ActionError if a proxy variable is invalid */
  readonly readProxy: () => ProxyRoutes;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Aborted when the step has to stop: with a `CancelledError` if the run is cancelled, or with the first
   * uncaught error.
   */
  readonly signal: AbortSignal;
  /**
   * Aborted when a step that has to stop may no longer save anything: 6 s after `signal`, or at a second
   * signal of the process.
   */
  readonly deadline: AbortSignal;
  /**
   * Opens the file of the outputs, so that a step does nothing whose outputs would be lost.
   * @throws ActionError if the file cannot be written
   */
  checkOutputs(): void;
  /**
   * Writes an output at once. If that is not possible, the step continues, because a job may be running,
   * and fails in the end.
   */
  setOutput(name: string, value: OutputValue): void;
  /** Never rejects: old versions of GitHub Enterprise Server have no summaries. */
  writeSummary(markdown: string): Promise<void>;
  /** Makes the step fail, with one sentence in the log. */
  fail(message: string): void;
  /** Ends the process, if something that cannot be aborted would keep it alive. */
  exit(): void;
}

export function createRunner(host: Host, clock: Clock = realClock): Runner {
  const { env, signal } = host;
  const log = createLog(host);
  let canWriteOutputs = true;
  const fail = (message: string): void => {
    host.setFailed();
    log.error(message);
  };
  return {
    inputs: createInputs(host),
    environment: readEnvironment(env),
    readProxy: () => readProxy(env),
    cache: createCache(join(dirname(host.entry), 'cache-process', 'index.js'), env),
    clock,
    log,
    signal,
    deadline: deadlineOf(host, clock),
    checkOutputs() {
      try {
        tryToAppend(env['GITHUB_OUTPUT'] ?? '');
      } catch (error) {
        // The error that is thrown says so already, so `setOutput` must not repeat it.
        canWriteOutputs = false;
        throw variableError(
          'GITHUB_OUTPUT',
          `names a file that cannot be written (${codeOf(error)}), so later steps would get no outputs`,
          'check that no earlier step removes the file, and in a container, that its user may write to the files of the runner',
        );
      }
    },
    setOutput(name, value) {
      const text = typeof value === 'string' ? outputLine(value) : outputJson(value.json);
      try {
        host.setOutput(name, text);
      } catch (error) {
        if (canWriteOutputs) {
          canWriteOutputs = false;
          fail(
            `The outputs could not be written, so later steps do not get them: check the runner's disk space and the file in GITHUB_OUTPUT (${String(error)}).`,
          );
        }
      }
    },
    writeSummary: async (markdown) => {
      await host.writeSummary(markdown).catch((error: unknown) => {
        log.debug(`The summary could not be written: ${String(error)}`);
      });
    },
    fail,
    exit: () => host.exit(),
  };
}

/** GitHub's runner sends a second signal 7.5 s after the first one, and kills the process 2.5 s later. */
const stopLimitMs = 6000;

function deadlineOf({ signal, secondSignal }: Host, clock: Clock): AbortSignal {
  const deadline = new AbortController();
  const end = () => deadline.abort();
  const begin = () => void clock.sleep(stopLimitMs, secondSignal).then(end, end);
  if (signal.aborted) {
    begin();
  } else {
    signal.addEventListener('abort', begin, { once: true });
  }
  return deadline.signal;
}

/**
 * Opens a file as the library for outputs does: the library never creates the file, and if there is no path, as
 * outside of a runner, it prints the outputs.
 */
function tryToAppend(path: string): void {
  if (path !== '') {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND));
  }
}

/**
 * The value of each output in an action.yml, as a function of what the step has found out. If the function returns
 * `undefined`, the output keeps its value.
 */
export type OutputTable<State> = Readonly<
  Record<string, (state: State) => OutputValue | undefined>
>;

/**
 * Creates the only writer of outputs: a function that writes the outputs that a state changes, and that warns of a
 * list that is cut.
 */
export function createOutputWriter<State>(
  table: OutputTable<State>,
  { setOutput, log }: Pick<Runner, 'setOutput' | 'log'>,
): (state: State) => void {
  const written = new Map<string, string>();
  const write = (name: string, value: OutputValue): void => {
    const { json: text, leftOut = 0 } = typeof value === 'string' ? { json: value } : value;
    if (text === (written.get(name) ?? '')) {
      return;
    }
    setOutput(name, value);
    written.set(name, text);
    if (leftOut > 0) {
      const entries = counted(leftOut, 'entry', 'entries');
      log.warning(`The output ${name} leaves out ${entries}, because it would be too long.`);
    }
  };
  return (state) => {
    for (const [name, read] of Object.entries(table)) {
      const value = read(state);
      if (value !== undefined) {
        write(name, value);
      }
    }
  };
}

/** The runner of the step that this process is. */
export function runnerOf(nodeProcess: NodeJS.Process): Runner {
  return createRunner(hostOf(nodeProcess));
}
