import { createContext, Script } from 'node:vm';

/** What a call returned, or that its time was over. */
export type BoundedCall<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'exhausted' };

const holder = { call() {} };
let context: object | undefined;

/**
 * Calls a function that computes for at most so long, and ends it wherever it is, even in the middle of a
 * regular expression. Nothing is copied, other than for a process of its own; memory has no limit.
 *
 * @throws what the function throws
 */
export function callBounded<Value>(compute: () => Value, timeoutMs: number): BoundedCall<Value> {
  let result: BoundedCall<Value> = { kind: 'exhausted' };
  holder.call = () => {
    result = { kind: 'done', value: compute() };
  };
  context ??= createContext(holder);
  try {
    // Node can end a script that takes too long, and with it what the script calls.
    new Script('call()').runInContext(context, { timeout: Math.ceil(timeoutMs) });
  } catch (error) {
    if (!isTimeout(error)) {
      throw error;
    }
  }
  return result;
}

/** The error is one of the script's own context, so that it is no `Error` here. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
