import { expect, it } from 'vitest';
import { verdictMessage } from '../../../../src/check/report/report.ts';
import { say } from '../../../../src/check/sentence.ts';
import { factOf, findingOf, goneOf, judgementOf } from '../../../helpers/change.ts';

const gone = goneOf('/old', 'old.mdx');
const fact = (file: string) => factOf('1', '2', file);

it.each([
  [
    'what blocks, and what else there is',
    [gone, fact('a.mdx:3')],
    'acme/docs#12 is blocked by 1 finding (dead-address), and 1 more finding needs a review: change the pull request.',
  ],
  [
    'each rule once',
    [
      ...['a.mdx:3', 'a.mdx:4', 'b c.mdx:1', 'd.mdx:1', 'e.mdx:1'].map(fact),
      findingOf('not-judged', say`x`, ['']),
    ],
    'acme/docs#12 needs a review because of 6 findings (settings-changed and not-judged).',
  ],
] as const)('names %s', (_name, findings, expected) => {
  expect(verdictMessage(judgementOf(findings))).toBe(expected);
});

it.each([
  ['Hi', 'passed: no line of a page is new'],
  ['Hi\nyou', 'passed: 1 line on 1 page is new, and nobody has checked it'],
  ['One\nline', 'passed: 2 lines on 1 page are new, and nobody has checked them'],
] as const)('says how much is new: %j', (after, expected) => {
  const parts = { before: { 'a.mdx': 'Hi' }, after: { 'a.mdx': after } };
  expect(verdictMessage(judgementOf([], {}, parts))).toBe(`acme/docs#12 ${expected}.`);
});

it('says which rules were switched off', () => {
  const rules = new Map([['gone', 'off']] as const);
  expect(verdictMessage(judgementOf([], { rules }))).toContain('passed with gone switched off: ');
});
