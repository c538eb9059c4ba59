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
 * Shows findings as annotations at their files, each with the level of the verdict that it leads to. With
 * `fail-on: none`, they are lines of the log instead, because an annotation stays on the run for ever, and a later
 * step may have the finding mended.
 */
export function showFindings(
  { findings: all, target }: Judgement,
  failOn: ReadonlySet<FailOn>,
  { log, environment }: Pick<Runner, 'log' | 'environment'>,
): void {
  if (failOn.size === 0) {
    for (const finding of all) {
      log.info(sentenceOf(finding));
    }
    return;
  }
  // In another repository, the same path is another file.
  const isHere = isSameName(target.repository, environment.repository);
  const byLevel = Map.groupBy(
    all,
    ({ severity }) => levels[levelOf(severity === 'block' ? 'blocked' : 'review', failOn)],
  );
  for (const [level, findings] of byLevel) {
    for (const finding of findings.slice(0, maxOfAKind)) {
      const { rule, places } = finding;
      const sentence = isHere ? sentenceWithoutPlace(finding) : sentenceOf(finding);
      log.annotate(level, sentence, { title: rule, ...(isHere ? places[0] : { file: '' }) });
    }
  }
}
