import { dirname, join } from 'node:path';
import type { ProxyRoutes } from '../network/http.ts';
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
      /** How many entries of a list did not fit; none if it is missing. */
      readonly leftOut?: number;
    };

/** The Actions runner, as far as an action uses it: everything outside the step but the network. */
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

/** The value of each output in an action.yml, as a function of the state; `undefined` for none. */
export type OutputTable<State> = Readonly<
  Record<string, (state: State) => OutputValue | undefined>
>;

/** Returns a function that writes the outputs that a new state changes, and warns of a list that is cut. */
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
      write(name, read(state) ?? '');
    }
  };
}

/** The runner of the step that this process is. */
export function runnerOf(nodeProcess: NodeJS.Process): Runner {
  return createRunner(hostOf(nodeProcess));
}
