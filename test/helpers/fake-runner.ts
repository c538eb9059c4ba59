import type { Cache } from '../../src/runner/cache.ts';
import type { Clock } from '../../src/runner/clock.ts';
import { readEnvironment } from '../../src/runner/environment.ts';
import type { Inputs } from '../../src/runner/inputs.ts';
import type { OutputValue, Runner } from '../../src/runner/runner.ts';

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
    deadline: new AbortController().signal,
    writeSummary: async (markdown) => void told.push(`summary: ${markdown}`),
    fail: print('failure'),
    exit: () => void told.push('exit'),
    checkOutputs() {},
    setOutput: (name: string, value: OutputValue) =>
      void told.push(`${name}=${typeof value === 'string' ? value : value.json}`),
  };
}

/** A clock that jumps instead of sleeping, and records the delays. */
export interface FakeClock extends Clock {
  readonly delaysMs: number[];
  advance(durationMs: number): void;
}

/** How late a sleep ends. Whole milliseconds would hide bugs with fractions. */
export const lagMs = 0.318_4;

/** Like the real clock, it starts at a fraction of a millisecond, and each sleep ends late. */
export function fakeClock(random = 0): FakeClock {
  let nowMs = 1_000.237_9;
  const delaysMs: number[] = [];
  return {
    delaysMs,
    advance(durationMs) {
      nowMs += durationMs;
    },
    nowMs: () => nowMs,
    epochMs: () => Date.UTC(2026, 0, 5, 8) + Math.floor(nowMs),
    random: () => random,
    async sleep(durationMs, signal) {
      signal.throwIfAborted();
      delaysMs.push(durationMs);
      nowMs += Math.max(durationMs, 0) + lagMs;
    },
  };
}
