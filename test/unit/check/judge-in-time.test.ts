import { expect, test } from 'vitest';
import { judgeInTime } from '../../../src/check/judge-in-time.ts';
import { judge } from '../../../src/check/rules/rules.ts';
import { changeOf, page } from '../../helpers/change.ts';

const broken = (count: number) =>
  changeOf({
    before: { 'a.mdx': page('x') },
    after: { 'a.mdx': page(Array.from({ length: count }, (_, at) => `[x](/no${at})`).join('\n')) },
  });

test('rules that have time find what they always find', () => {
  const change = broken(3);
  expect(judgeInTime(change, new Map())).toEqual({
    findings: judge(change, new Map()),
    gaps: [],
  });
});

test('what there is no time for is a gap', () => {
  const times = [0, 50_000];
  const { findings, gaps } = judgeInTime(broken(1), new Map(), () => times.shift() ?? 60_000);
  expect(findings).toEqual([]);
  expect(gaps).toContainEqual({
    file: '',
    what: 'the rule code-in-page was not applied, because that took too long',
  });
});

test('a rule that is off needs no time', () => {
  const settings = new Map([['code-in-page', 'off'] as const]);
  const { gaps } = judgeInTime(broken(1), settings, () => Number.POSITIVE_INFINITY);
  expect(gaps.map(({ what }) => what).join()).not.toContain('code-in-page');
});

test('a list that nobody would read is cut', () => {
  const { findings, gaps } = judgeInTime(broken(2_003), new Map());
  expect(findings.filter(({ rule }) => rule === 'broken-link')).toHaveLength(2_000);
  expect(gaps).toEqual([
    { file: '', what: 'the rule broken-link found 3 more places, which are not listed' },
  ]);
});
