import type { Log } from '../runner/log.ts';
import { ActionError, CancelledError, debugText, type errorReasons } from '../text/error.ts';
import { code } from '../text/markdown.ts';

/** Why a step ended with `skipped`, as the output `reason` names it. */
export const skipReasons = [
  'actor-not-allowed',
  'no-secret',
  'own-comment',
  'nothing-changed',
  'pull-request-open',
  'no-job-for-pull-request',
  'no-pull-request',
  'no-docs-changed',
] as const;

type SkipReason = (typeof skipReasons)[number];

/** The result of a step that had nothing to do or was not allowed to, and sent nothing to the API. */
export interface SkippedResult {
  readonly result: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** A warning where people probably expected the step to work. */
  readonly level: 'notice' | 'warning';
}

/** The result for an error. */
export interface ErrorResult {
  readonly result: 'error';
  readonly reason: (typeof errorReasons)[number];
  /** The sentence that the log ends with. */
  readonly message: string;
}

/**
 * The summary of a run that did not do what it is for, in Markdown.
 * @param subject such as `The check`
 */
export function shortSummary(
  subject: string,
  result: 'cancelled' | 'skipped' | 'error',
  message: string,
): string {
  const headings = {
    cancelled: `🛑 ${subject} was cancelled`,
    skipped: `⏭️ ${subject} was skipped`,
    error: `❌ ${subject} ended with an error`,
  } as const;
  return `### ${headings[result]}\n\n${code(message, 2000)}\n`;
}

/** The results of a run that threw an error. */
export type ErrorEnd = { readonly result: 'cancelled' } | ErrorResult;

/**
 * The result for an error that a run threw. After a cancel, every error counts as cancelled. An unexpected error is a
 * bug in this action. Only the debug log has its text, which could contain a secret.
 */
export function endOfError(
  thrown: unknown,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Log, 'debug'> },
): ErrorEnd {
  if (signal.reason instanceof CancelledError) {
    return { result: 'cancelled' };
  }
  // An uncaught error stops the run, so it is the cause of everything that was thrown after it.
  const error: unknown = signal.aborted ? signal.reason : thrown;
  if (error instanceof ActionError) {
    return { result: 'error', reason: error.reason, message: error.message };
  }
  log.debug(debugText(error));
  const name = error instanceof Error ? error.name : typeof error;
  const message = `This action hit an internal error (${name}): report what the log says with debug logging enabled.`;
  return { result: 'error', reason: 'internal-error', message };
}
