import { platformReasons } from '../platform/errors.ts';

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

export type SkipReason = (typeof skipReasons)[number];

/** Why a step ended with `error`, as the output `reason` names it. */
export const errorReasons = [
  'bad-input',
  ...platformReasons,
  'permission-check-failed',
  'changes-unreadable',
  'earlier-attempt-unknown',
  'pull-request-unreadable',
  'internal-error',
] as const;

/** Reasons of expected errors. An internal error is a bug in the action. */
export type ErrorReason = Exclude<(typeof errorReasons)[number], 'internal-error'>;

/** The result of a step that had nothing to do or was not allowed to, and sent nothing to the API. */
export interface SkippedResult {
  readonly result: 'skipped';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly message: string;
  /** Whether to warn, because people probably expected the step to work. */
  readonly isLoud: boolean;
}
