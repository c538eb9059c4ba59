import { isSameName } from '../../github/names.ts';
import type { Environment } from '../../runner/environment.ts';
import type { AnnotationPlace } from '../../runner/log.ts';
import type { Runner } from '../../runner/runner.ts';
import type { Gap } from '../old-finding.ts';
import type { Judgement } from '../old-judgement.ts';
import { type FailOn, levelOfVerdict } from '../result.ts';
import type { Target } from '../target.ts';
import { verdictOf } from '../verdict.ts';

/** GitHub shows ten of a kind for each step, and the last one is the closing sentence. */
const mostOfAKind = 9;

const levels = { failure: 'error', warning: 'warning', notice: 'notice', info: 'notice' } as const;

/**
 * Shows findings at their files, on the page of the run and among the changed files of the pull request,
 * and then the files that could not be judged. Each is as loud as the verdict that it leads to.
 */
export function annotate(
  { findings, gaps, target }: Judgement,
  failOn: ReadonlySet<FailOn>,
  { log, environment }: Pick<Runner, 'log' | 'environment'>,
): void {
  const counts = new Map<string, number>();
  const notes = [
    ...findings.map((finding) => ({ ...finding, verdict: verdictOf([finding], []) })),
    ...gaps
      .filter(({ file }) => file !== '')
      .map((gap) => ({ rule: 'not-judged', ...gap, verdict: verdictOf([], [gap]) })),
  ];
  for (const note of notes) {
    const level = levels[levelOfVerdict(note.verdict, failOn)];
    const count = counts.get(level) ?? 0;
    counts.set(level, count + 1);
    if (count < mostOfAKind) {
      log.annotate(level, ...annotationOf(note, isHere(target, environment)));
    }
  }
}

/** In another repository, the same path is another file. */
function isHere({ repository }: Target, environment: Environment): boolean {
  return isSameName(repository, environment.repository);
}

function annotationOf(
  { rule, file, line, what }: Gap & { readonly rule: string },
  hasFile: boolean,
): readonly [text: string, place: AnnotationPlace] {
  // Some quote a sentence with its full stop.
  const text = `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.!?…]$/u.test(what) ? '' : '.'}`;
  return hasFile
    ? [text, { title: rule, file, ...(line !== undefined && { line }) }]
    : [file === '' ? text : `${file}: ${text}`, { title: rule, file: '' }];
}
