import type { Gap, JudgedFinding } from './old-finding.ts';

/** `routine` says that all of it is plain, never that the text is right. */
export type Verdict = 'routine' | 'review' | 'blocked';

/** A gap cannot be switched off: what was not judged is never routine. */
export function verdictOf(findings: readonly JudgedFinding[], gaps: readonly Gap[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 || gaps.length > 0 ? 'review' : 'routine';
}
