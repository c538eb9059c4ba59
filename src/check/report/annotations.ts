import { isSameName } from '../../github/names.ts';
import type { Environment } from '../../runner/environment.ts';
import type { AnnotationPlace } from '../../runner/log.ts';
import type { Runner } from '../../runner/step.ts';
import type { JudgedFinding } from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import { type FailOn, levelOfVerdict } from '../result.ts';
import type { Target } from '../target.ts';
import { verdictOf } from '../verdict.ts';

/** GitHub shows ten of a kind for each step, and the last one is the closing sentence. */
const mostOfAKind = 9;

const levels = { failure: 'error', warning: 'warning', notice: 'notice', info: 'notice' } as const;

/**
 * Shows findings at their files, on the page of the run and among the changed files of the pull request.
 * A finding is as loud as the verdict that it leads to.
 */
export function annotate(
  { findings, target }: Judgement,
  failOn: ReadonlySet<FailOn>,
  { log, environment }: Pick<Runner, 'log' | 'environment'>,
): void {
  const counts = new Map<string, number>();
  for (const finding of findings) {
    const level = levels[levelOfVerdict(verdictOf([finding], []), failOn)];
    const count = counts.get(level) ?? 0;
    counts.set(level, count + 1);
    if (count < mostOfAKind) {
      log.annotate(level, ...annotationOf(finding, isHere(target, environment)));
    }
  }
}

/** In another repository, the same path is another file. */
function isHere({ repository }: Target, environment: Environment): boolean {
  return isSameName(repository, environment.repository);
}

function annotationOf(
  { rule, file, line, what }: JudgedFinding,
  hasFile: boolean,
): readonly [text: string, place: AnnotationPlace] {
  const text = `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
  return hasFile
    ? [text, { title: rule, file, ...(line !== undefined && { line }) }]
    : [file === '' ? text : `${file}: ${text}`, { title: rule, file: '' }];
}
