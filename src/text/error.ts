import { capitalised } from './plain.ts';

/** Why a step ended with `error`, as the output `reason` names it. docs/reference.md lists them, too. */
export const errorReasons = [
  'bad-input',
  'key-refused',
  'forbidden',
  'project-not-found',
  'job-not-found',
  'rate-limited',
  'request-refused',
  'unreachable',
  'unreadable-answer',
  'job-may-exist',
  'permission-check-failed',
  'changes-unreadable',
  'earlier-attempt-unknown',
  'pull-request-unreadable',
  'internal-error',
] as const;

/** Reasons of expected errors. An internal error is a bug in the action. */
export type ErrorReason = Exclude<(typeof errorReasons)[number], 'internal-error'>;

/** An error that people can do something about. The message is one sentence, and ends the log. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  readonly reason: ErrorReason;
  /** What happened: the first half of the sentence. */
  readonly what: string;
  /** What to do about it: the second half of the sentence. */
  readonly advice: string;

  /**
   * @param what what happened, as a main clause
   * @param advice what to do about it; follows a colon
   */
  constructor(reason: ErrorReason, what: string, advice: string, options?: ErrorOptions) {
    super(`${capitalised(what)}: ${advice}.`, options);
    this.reason = reason;
    this.what = what;
    this.advice = advice;
  }
}

export function hasReason(error: unknown, reason: ErrorReason): error is ActionError {
  return error instanceof ActionError && error.reason === reason;
}

/** The advice if neither an input nor the runner is wrong. */
export const rerunLater = 're-run the workflow later';

/**
 * The error for an invalid input, or for a file or event field that an input names. It is thrown before
 * anything is sent to the API.
 *
 * @param input the input's name in action.yml
 * @param problem what is wrong with the value; follows the input's name
 * @param advice what is allowed, or what to do; follows a colon
 */
export function inputError(input: string, problem: string, advice: string): ActionError {
  return new ActionError('bad-input', `input ${input} ${problem}`, advice);
}

/**
 * The error for an invalid variable in the runner's environment.
 * @param variable the variable's name; its value is never shown, because the value could contain a password
 */
export function variableError(variable: string, problem: string, advice: string): ActionError {
  return new ActionError('bad-input', `environment variable ${variable} ${problem}`, advice);
}

/** The run was cancelled: the runner sent a signal, or stopped reading the log. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}

/** The text of an unexpected error. It can contain foreign text, so it is shown only in the debug log. */
export function debugText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
