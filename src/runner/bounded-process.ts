import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { timeLimit } from '../network/timer.ts';
import type { Message } from './bounded-worker.ts';

/** How much of the machine a worker may use. */
export interface Bounds {
  /** For the work itself, once the worker has started. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Ends the worker, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** How a worker is started, beside its module. */
export interface WorkerOptions {
  readonly arguments?: readonly string[];
  /** Its environment; nothing of this process's own is passed on. */
  readonly env?: NodeJS.ProcessEnv;
}

/** What a worker came to. */
export type BoundedResult<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' };

/** Even a busy machine starts a process sooner. */
const startTimeoutMs = 20_000;

/**
 * Runs a worker on text from outside that may have been crafted to keep a parser busy: in a process
 * of its own, so that cancelling works meanwhile, and within limits of time and memory. A stack
 * overflow counts as exhausted, too.
 *
 * A thread would start sooner, but V8 ends the whole process when a thread runs out of memory.
 *
 * @param entry the worker's module, which calls `serve`
 * @throws the worker's own error otherwise, and the signal's reason when it is cancelled
 */
export async function runBounded<Input, Output>(
  entry: URL,
  input: Input,
  { timeoutMs, memoryMb, signal }: Bounds,
  options: WorkerOptions = {},
): Promise<BoundedResult<Output>> {
  signal.throwIfAborted();
  const worker = fork(entry, options.arguments, {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // It has no use for secrets; without this one variable Node does not start on Windows.
    env: { SystemRoot: process.env['SystemRoot'], ...options.env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const over = new AbortController();
  try {
    return await Promise.race([
      rejectWhenAborted(signal, over.signal),
      converse<Input, Output>(worker, input, timeoutMs, over.signal),
    ]);
  } finally {
    over.abort();
    worker.kill('SIGKILL');
  }
}

function rejectWhenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over });
  });
}

function converse<Input, Output>(
  worker: ChildProcess,
  input: Input,
  timeoutMs: number,
  over: AbortSignal,
): Promise<BoundedResult<Output>> {
  return new Promise((resolve, reject) => {
    const started = new AbortController();
    const noStart = () => reject(new Error('A worker did not start.'));
    after(startTimeoutMs, noStart, AbortSignal.any([over, started.signal]));
    worker.on('message', (message: Message<Output>) => {
      switch (message.kind) {
        case 'ready':
          started.abort();
          after(timeoutMs, () => resolve({ kind: 'exhausted' }), over);
          worker.send({ input });
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
    // Out of memory it is ended by Node or by the system. Its last message may come after its end.
    worker.once('close', (code) =>
      code === 0 ? reject(new Error('A worker ended too soon.')) : resolve({ kind: 'exhausted' }),
    );
  });
}

/** Calls `callback` once the duration is over, unless `unless` is aborted before. */
function after(durationMs: number, callback: () => void, unless: AbortSignal): void {
  timeLimit(durationMs).addEventListener('abort', callback, { signal: unless });
}

/**
 * The worker that lies beside a module, in the sources as well as in the bundle.
 * @param moduleUrl the module's `import.meta.url`
 * @param name the worker's file without its ending
 */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(new URL(moduleUrl).pathname)}`, moduleUrl);
}
