/** There is nothing for the agent to do. It ends the step with `skipped`, not with an error. */
export class NothingChangedError extends Error {
  override readonly name = 'NothingChangedError';

  /** @param finding a main clause */
  constructor(finding: string) {
    super(`Nothing was started, because ${finding}.`);
  }
}
