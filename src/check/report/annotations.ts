import { isSameName } from '../../github/names.ts';
import type { Runner } from '../../runner/runner.ts';
import { sentenceOf, sentenceWithoutPlace } from '../finding.ts';
import type { FailOn } from '../inputs.ts';
import type { Judgement } from '../judgement.ts';
import { levelOf } from '../outputs.ts';

/** GitHub shows ten of a kind for each step, and the last one is the closing sentence. */
const maxOfAKind = 9;

const levels = { failure: 'error', warning: 'warning', notice: 'notice', info: 'notice' } as const;

/**
 * Shows findings to readers of the run: as annotations, or as lines of the log with `fail-on: none`, because
 * an annotation stays on the run for ever, and a later step may have the finding mended.
 */
export function showFindings(
  judgement: Judgement,
  failOn: ReadonlySet<FailOn>,
  runner: Pick<Runner, 'log' | 'environment'>,
): void {
  if (failOn.size > 0) {
    annotate(judgement, failOn, runner);
    return;
  }
  for (const finding of judgement.findings) {
    runner.log.info(sentenceOf(finding));
  }
}

/**
 * Shows findings at their files, on the page of the run and among the changed files of the pull request.
 * An annotation has the level of the verdict that its finding leads to.
 */
function annotate(
  judgement: Judgement,
  failOn: ReadonlySet<FailOn>,
  { log, environment }: Pick<Runner, 'log' | 'environment'>,
): void {
  // In another repository, the same path is another file.
  const isHere = isSameName(judgement.target.repository, environment.repository);
  const byLevel = Map.groupBy(
    judgement.findings,
    ({ severity }) => levels[levelOf(severity === 'block' ? 'blocked' : 'review', failOn)],
  );
  for (const [level, findings] of byLevel) {
    for (const finding of findings.slice(0, maxOfAKind)) {
      const [{ file, line }] = finding.places;
      log.annotate(level, isHere ? sentenceWithoutPlace(finding) : sentenceOf(finding), {
        title: finding.rule,
        file: isHere ? file : '',
        ...(isHere && line !== undefined && { line }),
      });
    }
  }
}
