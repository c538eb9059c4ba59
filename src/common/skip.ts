/** Why a step ended with `skipped`, as the output `reason` names it. */
export type SkipReason = 'actor-not-allowed' | 'no-secret' | 'own-comment';

/** A step that rightly did nothing: nothing was sent to the API. */
export interface SkippedResult {
  readonly result: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** Whether it is worth a warning: where people surely expected the step to work. */
  readonly isLoud: boolean;
}
