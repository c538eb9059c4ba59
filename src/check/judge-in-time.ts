import { callBounded } from './bounded-call.ts';
import type { Change } from './change.ts';
import type { Gap, JudgedFinding, RuleSettings } from './old-finding.ts';
import { gapsOf } from './rules/gaps.ts';
import { judge } from './rules/rules.ts';

/** All rules together take less than a second for the largest real change. */
const longestRuleMs = 10_000;
const longestMs = 40_000;

/** Nobody reads more of one rule, and what is done with each of them takes time. */
const mostOfRule = 2_000;

interface Judged {
  readonly findings: readonly JudgedFinding[];
  readonly gaps: readonly Gap[];
}

/**
 * Applies the rules within limits of time, so that no pull request can be written that keeps the check
 * busy until the runner ends it without a verdict. A rule that reaches a limit is a gap, and the others
 * still say what they find.
 */
export function judgeInTime(
  change: Change,
  settings: RuleSettings,
  nowMs: () => number = () => performance.now(),
): Judged {
  const endMs = nowMs() + longestMs;
  const gaps: Gap[] = [];
  const apply = <Item>(name: string, find: () => readonly Item[]): readonly Item[] => {
    const leftMs = Math.min(longestRuleMs, endMs - nowMs());
    const result = leftMs > 0 ? callBounded(find, leftMs) : undefined;
    if (result?.kind !== 'done') {
      gaps.push({ file: '', what: `${name} was not applied, because that took too long` });
      return [];
    }
    const more = result.value.length - mostOfRule;
    if (more > 0) {
      gaps.push({ file: '', what: `${name} found ${more} more places, which are not listed` });
    }
    return result.value.slice(0, mostOfRule);
  };
  const findings = judge(change, settings, (name, rule) => apply(`the rule ${name}`, rule));
  const unread = apply('the search for what cannot be parsed', () => gapsOf(change));
  return { findings, gaps: [...gaps, ...unread] };
}
