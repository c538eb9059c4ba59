import { quoted } from '../text/plain.ts';

/**
 * An invalid input, or a file or event field that an input names.
 *
 * The message is one sentence: which input, what is wrong with it, and what to do. It is thrown before
 * anything is sent to the API.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly reason = 'bad-input';

  /**
   * @param input the input's name in action.yml
   * @param problem what is wrong with the value; follows the input's name
   * @param advice what is allowed, or what to do; follows a colon
   */
  constructor(input: string, problem: string, advice: string) {
    super(`Input ${input} ${problem}: ${advice}.`);
  }
}

/** An invalid variable in the runner's environment. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly reason = 'bad-input';

  /** @param variable its name; the value is never shown, because it could contain a password */
  constructor(variable: string, problem: string, advice: string) {
    super(`Environment variable ${variable} ${problem}: ${advice}.`);
  }
}

/** A file could not be written, although it could be created when the step started. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly reason = 'bad-input';

  /** @param code the error code of the operating system, such as `ENOSPC` */
  constructor(path: string, code: string) {
    super(
      `The file ${quoted(path)} could not be written (${code}): check the free disk space and the file's permissions.`,
    );
  }
}

/** The run was cancelled: the runner sent a signal or stopped reading the log. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
