import { fromOld } from './from-old.ts';
import { judgeInTime } from './judge-in-time.ts';
import type { RuleSettings } from './old-finding.ts';
import type { Judgement as OldJudgement } from './old-judgement.ts';
import { changedPageFiles, touchedPages } from './pages.ts';
import type { Readers } from './readers/readers.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { annotate } from './report/annotations.ts';
import { notesOn } from './report/messages.ts';
import { renderReport } from './report/report.ts';
import type { FailOn, Result } from './result.ts';
import { redactorOf } from './rules/redact.ts';
import type { Target } from './target.ts';
import type { Tools } from './tools.ts';
import { verdictOf } from './verdict.ts';

/** What the verdict rests on, of what was read. */
type ReadingToJudge = Omit<
  ChangeReading,
  'pullRequest' | 'mergeBaseSha' | 'hasMoved' | 'requestCount'
>;

/** Applies the rules to a change, and weighs what they find. */
export function applyRules(
  target: Target,
  reading: ReadingToJudge,
  settings: RuleSettings,
  readers: Readers,
): OldJudgement {
  const { change, changedFiles, headSha, previewLink, gaps: unread } = reading;
  const { pendingChecks, pagesWithoutHistory } = reading;
  // A finding may quote a line that holds a key, and reports are public.
  const redact = redactorOf(change);
  const judged = judgeInTime(change, settings);
  const findings = judged.findings.map((finding) => ({
    ...finding,
    file: redact(finding.file),
    what: redact(finding.what),
    ...(finding.was === undefined ? {} : { was: redact(finding.was) }),
  }));
  // Two rules, or two places in one line, can say the same.
  const distinct = [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
  const gaps = [...unread, ...judged.gaps].map((gap) => ({
    ...gap,
    file: redact(gap.file),
    what: redact(gap.what),
  }));
  return {
    target,
    headSha,
    verdict: verdictOf(distinct, gaps),
    findings: distinct,
    gaps,
    change,
    changedFiles,
    pages: touchedPages(changedPageFiles(change), readers).map((page) => ({
      ...page,
      path: redact(page.path),
    })),
    previewLink,
    readers,
    pendingChecks,
    pagesWithoutHistory,
  };
}

/** Writes the outputs and the annotations. The verdict is only known once its report is there. */
export function report(
  old: OldJudgement,
  failOn: ReadonlySet<FailOn>,
  { runner, state }: Tools,
): Result {
  const judgement = fromOld(old);
  const rendered = renderReport(judgement, runner.environment);
  state.learn({ judgement });
  annotate(judgement, failOn, runner);
  for (const note of notesOn(judgement)) {
    runner.log.warning(note);
  }
  return { result: 'judged', judgement, report: rendered };
}
