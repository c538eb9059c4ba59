import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import type { Message } from './bounded-worker.ts';
import { after, limitTime } from './process-time.ts';

/** The limits of a worker. */
export interface Bounds {
  /**
   * How long it may work: counted from when the worker is ready, and anew from each part that it
   * reports. On Linux this is processor time, see `limitTime`.
   */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Stops the worker, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** How a worker is started. */
export interface WorkerOptions {
  readonly arguments?: readonly string[];
  /** All of its environment: it inherits nothing. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with each part of the result that the worker reports. */
  readonly onPart?: (part: unknown) => void;
}

/** A worker's output, or `exhausted` if it reached a limit. */
export type BoundedResult<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' };

/**
 * A quarter of what Node takes by default for what is thrown away at once. A worker then holds half as
 * much memory, and takes a twentieth longer.
 */
const youngMemoryMb = 4;

/** Far longer than a busy machine needs to start a process. */
const startTimeoutMs = 20_000;

/**
 * Runs a worker on untrusted text, which could be crafted to keep a parser busy. The worker runs in a
 * separate process, so that the step can still be cancelled, and with limits on time and memory. A
 * stack overflow also counts as exhausted.
 *
 * A thread would start faster, but V8 ends the whole process when a thread runs out of memory.
 *
 * @param entry the worker's module, which calls `serve`
 * @throws the worker's error, or the signal's reason if the run is cancelled
 */
export async function runBounded<Input, Output>(
  entry: URL,
  input: Input,
  { timeoutMs, memoryMb, signal }: Bounds,
  options: WorkerOptions = {},
): Promise<BoundedResult<Output>> {
  signal.throwIfAborted();
  const worker = fork(entry, options.arguments, {
    execArgv: [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${youngMemoryMb}`],
    // The worker must not see secrets. Node needs this one variable to start on Windows.
    env: { SystemRoot: process.env['SystemRoot'], ...options.env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // So that it can be ended with the processes that it has started. Windows has no such groups.
    detached: hasGroups,
  });
  const over = new AbortController();
  try {
    return await Promise.race([
      rejectWhenAborted(signal, over.signal),
      exchange<Input, Output>(worker, input, timeoutMs, over.signal, options.onPart),
    ]);
  } finally {
    over.abort();
    end(worker);
  }
}

const hasGroups = process.platform !== 'win32';

function end(worker: ChildProcess): void {
  if (!hasGroups || worker.pid === undefined) {
    worker.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-worker.pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

function rejectWhenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over });
  });
}

function exchange<Input, Output>(
  worker: ChildProcess,
  input: Input,
  timeoutMs: number,
  over: AbortSignal,
  onPart?: (part: unknown) => void,
): Promise<BoundedResult<Output>> {
  return new Promise((resolve, reject) => {
    let current = new AbortController();
    const restartTimer = () => {
      current.abort();
      current = new AbortController();
      const exhausted = () => resolve({ kind: 'exhausted' });
      limitTime(worker.pid, timeoutMs, exhausted, AbortSignal.any([over, current.signal]));
    };
    const started = new AbortController();
    const noStart = () => reject(new Error('A worker did not start.'));
    after(startTimeoutMs, noStart, AbortSignal.any([over, started.signal]));
    worker.on('message', (message: Message<Output>) => {
      switch (message.kind) {
        case 'ready':
          started.abort();
          restartTimer();
          worker.send({ input });
          return;
        case 'part':
          restartTimer();
          onPart?.(message.part);
          return;
        case 'done':
        case 'exhausted':
          resolve(message);
          return;
        case 'failed':
          reject(new Error(`A worker failed: ${message.problem}`));
          return;
      }
    });
    worker.once('error', reject);
    // Node or the system kills a worker that runs out of memory. "close" comes after the last message.
    worker.once('close', (code) =>
      code === 0 ? reject(new Error('A worker ended too soon.')) : resolve({ kind: 'exhausted' }),
    );
  });
}

/**
 * The URL of a worker in the same folder as a module, both in the sources and in the bundle.
 * @param moduleUrl the module's `import.meta.url`
 * @param name the worker's file name without its extension
 */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(new URL(moduleUrl).pathname)}`, moduleUrl);
}
