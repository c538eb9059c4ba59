import type { ErrorEnd } from '../common/explain-error.ts';
import type { SkippedResult } from '../common/reasons.ts';
import type { Conclusion } from '../runner/step.ts';
import type { Verdict } from './finding.ts';
import type { Judgement } from './judgement.ts';
import type { Report } from './report/report.ts';

/** How the step ended, as the output `result` names it. */
export type Result =
  | { readonly result: 'judged'; readonly judgement: Judgement; readonly report: Report }
  | SkippedResult
  | ErrorEnd;

/** What `fail-on` can name. An error always fails the step. */
export const failOnChoices = ['blocked', 'review', 'skipped'] as const;

export type FailOn = (typeof failOnChoices)[number];

/** How a result is reported; `failure` makes the step fail. */
export function levelOf(result: Result, failOn: ReadonlySet<FailOn>): Conclusion['level'] {
  switch (result.result) {
    case 'judged':
      return levelOfVerdict(result.judgement.verdict, failOn);
    case 'skipped':
      if (failOn.has('skipped')) {
        return 'failure';
      }
      return result.isLoud ? 'warning' : 'notice';
    case 'cancelled':
    case 'error':
      return 'failure';
  }
}

export function levelOfVerdict(verdict: Verdict, failOn: ReadonlySet<FailOn>): Conclusion['level'] {
  switch (verdict) {
    case 'routine':
      return 'info';
    case 'review':
      return failOn.has('review') ? 'failure' : 'notice';
    case 'blocked':
      return failOn.has('blocked') ? 'failure' : 'warning';
  }
}
