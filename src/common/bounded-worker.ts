/** What a worker sends to the process that started it. */
export type Message<Output> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Makes this process a worker for `runBounded`, which handles a single input.
 * @param work if it overflows the stack, the result is `exhausted`, not an error
 */
export function serve<Input, Output>(work: (input: Input) => Output): void {
  // Ctrl-C reaches this process too, but only its parent decides when to stop it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
    process.on(signal, () => undefined);
  }
  process.once('message', ({ input }: { readonly input: Input }) => send(tryTo(work, input)));
  send({ kind: 'ready' });
}

function tryTo<Input, Output>(work: (input: Input) => Output, input: Input): Message<Output> {
  try {
    return { kind: 'done', output: work(input) };
  } catch (error) {
    return error instanceof RangeError
      ? { kind: 'exhausted' }
      : { kind: 'failed', problem: String(error) };
  }
}

function send(message: Message<unknown>): void {
  process.send?.(message);
}
