/** What a worker tells the process that started it. */
export type Answer<Output> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Makes this process a worker that `runBounded` can start: it does one piece of work.
 * @param work a stack that overflows in it is no mistake, but a bound
 */
export function serve<Input, Output>(work: (input: Input) => Output): void {
  // A cancel from the keyboard reaches the whole group; whoever started this one ends it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
    process.on(signal, () => undefined);
  }
  process.once('message', ({ input }: { readonly input: Input }) => answer(tryTo(work, input)));
  answer({ kind: 'ready' });
}

function tryTo<Input, Output>(work: (input: Input) => Output, input: Input): Answer<Output> {
  try {
    return { kind: 'done', output: work(input) };
  } catch (error) {
    return error instanceof RangeError
      ? { kind: 'exhausted' }
      : { kind: 'failed', problem: String(error) };
  }
}

function answer(message: Answer<unknown>): void {
  process.send?.(message);
}
