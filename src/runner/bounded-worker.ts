/** What a worker sends to the process that started it. */
export type Message<Output> =
  | { readonly kind: 'ready' }
  /** What a worker reports while it works. */
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'failed'; readonly problem: string };

/** Reports a part of the result; resolves when it is on its way. */
type Report = (part: unknown) => Promise<void>;

type Work<Input, Output> = (input: Input, report: Report) => Output | Promise<Output>;

/**
 * Makes this process a worker for `runBounded`, which handles a single input.
 * @param work if it overflows the stack, the result is `exhausted`, not an error
 */
export function serve<Input, Output>(work: Work<Input, Output>): void {
  // A cancel from the keyboard reaches the whole group; the process that started this one ends it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
    process.on(signal, () => undefined);
  }
  // If the parent is gone, nobody waits for the result.
  process.once('disconnect', () => process.exit());
  process.once('message', async ({ input }: { readonly input: Input }) =>
    send(await tryTo(work, input)),
  );
  send({ kind: 'ready' });
}

async function tryTo<Input, Output>(
  work: Work<Input, Output>,
  input: Input,
): Promise<Message<Output>> {
  try {
    return { kind: 'done', output: await work(input, report) };
  } catch (error) {
    return error instanceof RangeError
      ? { kind: 'exhausted' }
      : { kind: 'failed', problem: String(error) };
  }
}

/** A busy worker would not send what it has not written yet. */
function report(part: unknown): Promise<void> {
  const message: Message<never> = { kind: 'part', part };
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}

function send(message: Message<unknown>): void {
  process.send?.(message);
}
