/** Why a step ended with `skipped`, as the output `reason` names it. */
export type SkipReason = 'actor-not-allowed' | 'no-secret' | 'own-comment';

/** A step that rightly did nothing: nothing was sent to the service. */
export interface Skip {
  readonly kind: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** Whether it should be told as a warning: where somebody surely expected the step to work. */
  readonly isLoud: boolean;
}

/** The same as a step's result. */
export type SkippedResult = { readonly result: 'skipped' } & Omit<Skip, 'kind'>;
