import { type ThreadPlace, threadName } from '../github/names.ts';
import type { Runner } from '../runner/runner.ts';
import { quoted } from '../text/plain.ts';
import { touchesDocs } from './docs/kinds.ts';
import type { CheckInputs } from './inputs.ts';
import { type Judgement, judgementOf } from './judgement.ts';
import type { Result } from './outputs.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { showFindings } from './report/annotations.ts';
import { renderReport, verdictMessage } from './report/report.ts';
import { judgeChange } from './rules/rules.ts';

/**
 * Applies the rules to a pull request, and renders the report.
 * @param learn gets the judgement once its report is rendered
 */
export function judge(
  target: ThreadPlace,
  reading: ChangeReading,
  { pullRequest, rules, failOn }: CheckInputs,
  runner: Runner,
  learn: (judgement: Judgement) => void,
): Result {
  const { change } = reading;
  // A pull request that pr-link names is judged whatever it changes, so that an agent that changes only a
  // workflow does not end in a green step.
  const isOurs = pullRequest === undefined ? touchesDocs(change) : change.files.length > 0;
  if (!isOurs && change.unread.length === 0) {
    const { root } = change.after.site;
    const files = root === '' ? 'file of the docs' : `file of the docs in ${quoted(root)}`;
    const message = `Nothing was judged, because ${threadName(target)} changes no ${files}.`;
    return { result: 'skipped', reason: 'no-docs-changed', message, level: 'notice' };
  }
  const findings = judgeChange(change, rules);
  const judgement = judgementOf({ ...reading, target, findings, rules });
  const { verdict } = judgement;
  const message = verdictMessage(judgement);
  const report = renderReport(judgement, runner.environment);
  // The outputs get the verdict last, so that a later step never sees a verdict whose report could not be rendered.
  learn(judgement);
  showFindings(judgement, failOn, runner);
  return { result: 'judged', verdict, message, report };
}
