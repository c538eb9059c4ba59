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

/** Whether an earlier attempt of this run started a job cannot be found out. */
export class EarlierAttemptError extends Error {
  override readonly name = 'EarlierAttemptError';
  readonly reason = 'earlier-attempt-unknown';

  /** @param problem a main clause */
  constructor(problem: string) {
    super(
      `Nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read: ${problem}; re-run the workflow later, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one.`,
    );
  }
}

/** The run was cancelled: the runner sent a signal, or stopped reading our log. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
