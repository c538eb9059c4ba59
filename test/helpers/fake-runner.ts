import type { Cache } from '../../src/runner/cache.ts';
import { readEnvironment } from '../../src/runner/environment.ts';
import type { Inputs } from '../../src/runner/inputs.ts';
import type { OutputValue, Runner } from '../../src/runner/runner.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

/** The inputs of a step, as a runner passes them: only these, including empty values. */
export function passedInputs(values: Readonly<Record<string, string>>): Inputs {
  const all = new Map(Object.entries(values));
  const read = (name: string) => all.get(name) ?? '';
  return { read, isPassed: (name) => all.has(name), readSecret: read };
}

/** A runner that records everything. */
export interface FakeRunner extends Runner {
  readonly clock: FakeClock;
  /** Outputs as `name=value` and lines as `level: text`, in order. */
  readonly told: string[];
  /** The records since the last call. */
  news(): string[];
  /** Aborts the runner's signal. */
  stop(reason: unknown): void;
}

const noCache: Cache = {
  find: async () => ({ kind: 'unavailable' }),
  save: async () => ({ kind: 'unavailable' }),
};

export function fakeRunner(
  variables: NodeJS.ProcessEnv = {},
  inputs: Readonly<Record<string, string>> = {},
): FakeRunner {
  const told: string[] = [];
  const controller = new AbortController();
  const print = (level: string) => (text: string) => void told.push(`${level}: ${text}`);
  return {
    told,
    news: () => told.splice(0),
    stop: (reason) => controller.abort(reason),
    inputs: passedInputs(inputs),
    environment: readEnvironment(variables),
    readProxy: () => ({ httpProxy: '', httpsProxy: '', noProxy: '' }),
    cache: noCache,
    clock: fakeClock(),
    log: {
      info: print('info'),
      debug: print('debug'),
      notice: print('notice'),
      warning: print('warning'),
      error: print('error'),
      annotate: (level, text, { title, file, line }) =>
        void told.push(`${level} at ${file}:${line ?? ''} (${title}): ${text}`),
      fold: (title, text) => void told.push(`fold: ${title}`, text),
    },
    signal: controller.signal,
    writeSummary: async (markdown) => void told.push(`summary: ${markdown}`),
    fail: print('failure'),
    exit: () => void told.push('exit'),
    setOutput: (name: string, value: OutputValue) =>
      void told.push(`${name}=${typeof value === 'string' ? value : value.json}`),
  };
}
