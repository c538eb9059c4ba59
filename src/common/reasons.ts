import { platformReasons } from '../platform/errors.ts';

/** Why a step ended with `skipped`, as the output `reason` names it. */
export const skipReasons = ['actor-not-allowed', 'no-secret', 'own-comment'] as const;

export type SkipReason = (typeof skipReasons)[number];

/** Why a step ended with `error`, as the output `reason` names it. */
export const errorReasons = [
  'bad-input',
  ...platformReasons,
  'permission-check-failed',
  'earlier-attempt-unknown',
  'internal-error',
] as const;

/** Reasons that were foreseen; an internal error is a mistake of ours. */
export type ErrorReason = Exclude<(typeof errorReasons)[number], 'internal-error'>;

/** A step that rightly did nothing: nothing was sent to the API. */
export interface SkippedResult {
  readonly result: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** Whether it is worth a warning: where people surely expected the step to work. */
  readonly isLoud: boolean;
}
