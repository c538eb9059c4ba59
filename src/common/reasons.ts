/** Why a step ended with `skipped`, as the output `reason` names it. */
export const skipReasons = [
  'actor-not-allowed',
  'no-secret',
  'own-comment',
  'nothing-changed',
  'pull-request-open',
  'no-job-for-pull-request',
  'no-pull-request',
  'no-docs-changed',
] as const;

type SkipReason = (typeof skipReasons)[number];

/** The result of a step that had nothing to do or was not allowed to, and sent nothing to the API. */
export interface SkippedResult {
  readonly result: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** Whether to warn, because people probably expected the step to work. */
  readonly isLoud: boolean;
}
