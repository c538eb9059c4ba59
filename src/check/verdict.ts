import type { Finding, Verdict } from './finding.ts';

/** What the findings come to. */
export function verdictOf(findings: readonly Pick<Finding, 'severity'>[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 ? 'review' : 'routine';
}
