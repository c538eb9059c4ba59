import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import type { Answer } from './bounded-worker.ts';

/** How much of the machine a worker may use. */
export interface Bounds {
  /** For the work itself, once the worker has started. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Ends the worker, and rejects with the signal's reason. */
  readonly cancelled: AbortSignal;
}

/** What a worker came to. */
export type BoundedResult<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' };

/** Even a busy machine starts a process sooner. */
const startTimeoutMs = 20_000;

/**
 * Lets a worker read text from outside that may have been made to keep a parser busy: in a process
 * of its own, so that a cancel is heard meanwhile, and within bounds of time and memory. A stack that
 * overflows counts as out of bounds, too.
 *
 * A thread would start sooner, but V8 ends the whole process when a thread runs out of memory.
 *
 * @param entry the worker's module, which calls `serve`
 * @throws the worker's own error otherwise, and the signal's reason when it is cancelled
 */
export async function runBounded<Input, Output>(
  entry: URL,
  input: Input,
  { timeoutMs, memoryMb, cancelled }: Bounds,
): Promise<BoundedResult<Output>> {
  cancelled.throwIfAborted();
  const worker = fork(entry, {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // It has no use for secrets; without this one variable Node does not start on Windows.
    env: { SystemRoot: process.env['SystemRoot'] },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const over = new AbortController();
  try {
    return await Promise.race([
      whenCancelled(cancelled, over.signal),
      converse<Input, Output>(worker, input, timeoutMs, over.signal),
    ]);
  } finally {
    over.abort();
    worker.kill('SIGKILL');
  }
}

function whenCancelled(cancelled: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    cancelled.addEventListener('abort', () => reject(cancelled.reason), { signal: over });
  });
}

function converse<Input, Output>(
  worker: ChildProcess,
  input: Input,
  timeoutMs: number,
  over: AbortSignal,
): Promise<BoundedResult<Output>> {
  return new Promise((resolve, reject) => {
    const noStart = () => reject(new Error('A worker did not start.'));
    let timer = setTimeout(noStart, startTimeoutMs);
    over.addEventListener('abort', () => clearTimeout(timer));
    worker.on('message', (answer: Answer<Output>) => {
      switch (answer.kind) {
        case 'ready':
          clearTimeout(timer);
          timer = setTimeout(() => resolve({ kind: 'exhausted' }), timeoutMs);
          worker.send({ input });
          return;
        case 'done':
        case 'exhausted':
          resolve(answer);
          return;
        case 'failed':
          reject(new Error(`A worker failed: ${answer.problem}`));
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

/**
 * The worker that lies beside a module, in the sources as well as in the bundle.
 * @param moduleUrl the module's `import.meta.url`
 * @param name the worker's file without its ending
 */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(new URL(moduleUrl).pathname)}`, moduleUrl);
}
