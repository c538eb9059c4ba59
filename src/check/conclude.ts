import type { RuleSettings } from './finding.ts';
import type { Judgement } from './judgement.ts';
import { changedPageFiles, touchedPages } from './pages.ts';
import type { Readers } from './readers/readers.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { annotate } from './report/annotations.ts';
import { notesOn } from './report/messages.ts';
import { renderReport } from './report/report.ts';
import type { FailOn, Result } from './result.ts';
import { judgeChange } from './rules/rules.ts';
import type { Target } from './target.ts';
import type { Tools } from './tools.ts';
import { verdictOf } from './verdict.ts';

/** Applies the rules to a change, and weighs what they find. */
export function applyRules(
  target: Target,
  { change, changedFiles, headSha, previewLink }: ChangeReading,
  settings: RuleSettings,
  readers: Readers,
): Judgement {
  const { findings, lookedAt } = judgeChange(change, settings);
  return {
    ...{ target, headSha, verdict: verdictOf(findings), findings, lookedAt },
    rulesOff: [...settings].filter(([, severity]) => severity === 'off').map(([rule]) => rule),
    ...{ change, changedFiles, previewLink, readers },
    pages: touchedPages(changedPageFiles(change), readers),
  };
}

/** Writes the outputs and the annotations. The verdict is only known once its report is there. */
export function report(
  judgement: Judgement,
  failOn: ReadonlySet<FailOn>,
  { runner, state }: Tools,
): Result {
  const rendered = renderReport(judgement, runner.environment);
  state.learn({ judgement });
  annotate(judgement, failOn, runner);
  for (const note of notesOn(judgement)) {
    runner.log.warning(note);
  }
  return { result: 'judged', judgement, report: rendered };
}
