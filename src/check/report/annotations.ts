import { isSameName } from '../../github/names.ts';
import type { Runner } from '../../runner/runner.ts';
import { counted, oneLine } from '../../text/plain.ts';
import type { Finding } from '../finding.ts';
import type { FailOn } from '../inputs.ts';
import type { Judgement } from '../judgement.ts';
import { levelOf } from '../outputs.ts';
import { maxQuoteLength, plainOf } from '../sentence.ts';

/** GitHub shows ten of a kind for each step, and the last one is the closing sentence. */
const maxOfAKind = 9;

const levels = { failure: 'error', warning: 'warning', notice: 'notice', info: 'notice' } as const;

/**
 * Shows findings at their files, on the page of the run and among the changed files of the pull request.
 * Each is as loud as the verdict that it leads to.
 */
export function annotate(
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
      const text = annotationText(finding);
      log.annotate(level, isHere || file === '' ? text : `${file}: ${text}`, {
        title: finding.rule,
        file: isHere ? file : '',
        ...(isHere && line !== undefined && { line }),
      });
    }
  }
}

function annotationText({ what, before, after, places }: Finding): string {
  const parts = [
    plainOf(what),
    before && `Before: "${oneLine(before, maxQuoteLength)}".`,
    after && `Now: "${oneLine(after, maxQuoteLength)}".`,
    places.length > 1 && `The same stands in ${counted(places.length - 1, 'more place')}.`,
  ];
  return parts.filter(Boolean).join(' ');
}
