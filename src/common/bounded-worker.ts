import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** How much of the machine a worker may use. */
export interface Bounds {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Ends the worker, and rejects with the signal's reason. */
  readonly cancelled: AbortSignal;
}

/** What a worker came to. */
export type BoundedResult<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' };

/**
 * Runs a worker over text from outside that may have been made to keep a parser busy: in a thread of
 * its own, so that a cancel is heard meanwhile, and within bounds. A stack that overflows counts as
 * out of bounds, too.
 *
 * @param entry the worker's module; it takes `workerData` and posts one message
 * @throws the worker's own error otherwise, and the signal's reason when it is cancelled
 */
export async function runBounded<Input, Output>(
  entry: URL,
  input: Input,
  { timeoutMs, memoryMb, cancelled }: Bounds,
): Promise<BoundedResult<Output>> {
  cancelled.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: input,
    // It has no use for secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const ending = new AbortController();
  try {
    return await new Promise<BoundedResult<Output>>((resolve, reject) => {
      const timer = setTimeout(() => resolve({ kind: 'exhausted' }), timeoutMs);
      ending.signal.addEventListener('abort', () => clearTimeout(timer));
      cancelled.addEventListener('abort', () => reject(cancelled.reason), {
        signal: ending.signal,
      });
      worker.once('message', (output: Output) => resolve({ kind: 'done', output }));
      worker.once('error', (error) =>
        isExhaustion(error) ? resolve({ kind: 'exhausted' }) : reject(error),
      );
      worker.once('exit', () => reject(new Error('A worker ended without a result.')));
    });
  } finally {
    ending.abort();
    await worker.terminate();
  }
}

/**
 * The worker that lies beside a module, in the sources as well as in the bundle.
 * @param moduleUrl the module's `import.meta.url`
 * @param name the worker's file without its ending
 */
export function workerBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(new URL(moduleUrl).pathname)}`, moduleUrl);
}

function isExhaustion(error: unknown): boolean {
  return (
    error instanceof RangeError ||
    (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
