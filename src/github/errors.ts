/** What to do when the event does not name the users behind it. */
export const adviceOnEvents =
  "run this step in a workflow that GitHub starts, and leave the event's file as it is";

/**
 * The permission of the users behind the run could not be checked, so nothing may be started. The
 * message is one sentence.
 */
export class PermissionCheckError extends Error {
  override readonly name = 'PermissionCheckError';
  readonly reason = 'permission-check-failed';

  /**
   * @param problem why not; follows "because"
   * @param advice what to do about it; follows a colon
   */
  constructor(problem: string, advice: string) {
    super(`Whether this run may start a job could not be checked, because ${problem}: ${advice}.`);
  }
}

/**
 * GitHub, or the API, does not tell what has to be known of open pull requests before anything is sent.
 * The message is one sentence.
 */
export class PullRequestUnreadableError extends Error {
  override readonly name = 'PullRequestUnreadableError';
  readonly reason = 'pull-request-unreadable';

  /**
   * @param problem a main clause
   * @param advice what to do about it; follows a colon
   */
  constructor(problem: string, advice: string) {
    super(
      `Nothing was started, because this run may belong to an open pull request, and ${problem}: ${advice}.`,
    );
  }
}

/** The pull request that is to be judged could not be read from GitHub. The message is one sentence. */
export class PullRequestReadingError extends Error {
  override readonly name = 'PullRequestReadingError';
  readonly reason = 'pull-request-unreadable';

  /**
   * @param place such as `acme/docs#12`
   * @param problem why not; follows "because"
   * @param advice what to do about it; follows a colon
   */
  constructor(place: string, problem: string, advice: string) {
    super(`Pull request ${place} could not be read, because ${problem}: ${advice}.`);
  }
}

/** The commits and files for a prompt could not be read from GitHub. The message is one sentence. */
export class ChangesError extends Error {
  override readonly name = 'ChangesError';
  readonly reason = 'changes-unreadable';

  /**
   * @param problem why not; follows "because"
   * @param advice what to do about it; follows a colon
   */
  constructor(problem: string, advice: string) {
    super(`The changes for the prompt could not be read, because ${problem}: ${advice}.`);
  }
}
