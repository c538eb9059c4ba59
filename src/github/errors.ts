/** What to do where an event does not tell who is behind it. */
export const adviceOnEvents =
  'run this step in a workflow that GitHub starts, with its event as it is';

/**
 * Who triggered the run could not be found out, so nothing may be started: the check fails closed.
 * The message is one sentence.
 */
export class PermissionCheckError extends Error {
  override readonly name = 'PermissionCheckError';
  readonly reason = 'permission-check-failed';

  /**
   * @param problem why not, as the sentence goes on after "because"
   * @param advice what to do about it, as the sentence goes on after a colon
   */
  constructor(problem: string, advice: string) {
    super(`Whether this run may start a job could not be checked, because ${problem}: ${advice}.`);
  }
}
