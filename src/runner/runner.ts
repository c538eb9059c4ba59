import type { ProxyRoutes } from '../network/http.ts';
import { outputJson, outputLine } from '../text/output.ts';
import { type Cache, createCache } from './cache.ts';
import { type Clock, realClock } from './clock.ts';
import { type Environment, readEnvironment, readProxy } from './environment.ts';
import type { Host } from './host.ts';
import { createInputs, type Inputs } from './inputs.ts';
import { createLog, type Log } from './log.ts';
import type { OutputValue } from './outputs.ts';

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
   * Aborted when the step has to stop: with a `CancelledError` if the run is cancelled, or with an
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

/** The runner of a step, in the process that it started for it. */
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
    cache: createCache(host.entry, env),
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
