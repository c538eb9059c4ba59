import { quoted } from '../text/plain.ts';

/**
 * Something the user gave cannot be used: an input, a file or an event field that an input names.
 *
 * The message is one sentence: which input, what is wrong with what was received, what to do.
 * Nothing was sent to anybody when this is thrown.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly reason = 'bad-input';

  /**
   * @param input the input's name in action.yml
   * @param problem what is wrong with what was received, as the sentence goes on after the name
   * @param advice what is allowed, or what to do next
   */
  constructor(input: string, problem: string, advice: string) {
    super(`Input ${input} ${problem}: ${advice}.`);
  }
}

/** A variable of the runner's environment cannot be used. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly reason = 'bad-input';

  /** @param variable its name; the value is never shown, for it may hold a password */
  constructor(variable: string, problem: string, advice: string) {
    super(`Environment variable ${variable} ${problem}: ${advice}.`);
  }
}

/** A file could not be written, although its place looked good when the step began. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly reason = 'bad-input';

  /** @param code the operating system's, such as `ENOSPC` */
  constructor(path: string, code: string) {
    super(
      `The file ${quoted(path)} could not be written (${code}): make room for it and check its permissions.`,
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
