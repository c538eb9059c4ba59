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
