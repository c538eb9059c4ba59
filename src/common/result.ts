import type { Log } from '../runner/log.ts';
import { ActionError, CancelledError, debugText, type ErrorReason } from '../text/error.ts';
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

/** The result for an error that people can do something about. */
export interface ErrorResult {
  readonly result: 'error';
  readonly reason: ErrorReason;
  /** One sentence. */
  readonly message: string;
}

/** The result for an unexpected error, which is a bug in this action. */
export interface InternalError {
  readonly result: 'error';
  readonly reason: 'internal-error';
  /** Such as `TypeError`. The error's message is not reported, because it could contain a secret. */
  readonly errorName: string;
}

/** The sentence that the log ends with after an error. */
export function errorMessage(error: ErrorResult | InternalError): string {
  return error.reason === 'internal-error'
    ? `This action hit an internal error (${error.errorName}): run it again with debug logging enabled, and report what the log says.`
    : error.message;
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
export type ErrorEnd = { readonly result: 'cancelled' } | ErrorResult | InternalError;

/**
 * The result for an error that a run threw. After a cancel, every error counts as cancelled. The details
 * of an unexpected error only go to the debug log.
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
  const errorName = error instanceof Error ? error.name : typeof error;
  return { result: 'error', reason: 'internal-error', errorName };
}
