import { expect, it } from 'vitest';
import { verdictMessage } from '../../../../src/check/report/report.ts';
import { say } from '../../../../src/check/sentence.ts';
import { docsJson, page } from '../../../helpers/change.ts';
import { factOf, findingOf, goneOf, judgementOf } from '../../../helpers/judgement.ts';

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
    'acme/docs#12 needs a review because of 6 findings (fact-changed and not-judged).',
  ],
] as const)('names %s', (_name, findings, expected) => {
  expect(verdictMessage(judgementOf(findings))).toBe(expected);
});

it.each([
  ['block', ': all of it is plain, and nothing is gone that a reader could miss'],
  // Without the rule, nobody looked for that.
  ['off', ' with removed switched off: all of it is plain'],
] as const)('says what routine means with removed: %s', (severity, expected) => {
  const rules = new Map([['removed', severity]] as const);
  expect(verdictMessage(judgementOf([], { rules }))).toBe(
    `acme/docs#12 is routine${expected}; whether it is true, only a reader can tell.`,
  );
});

it('names a few of the sites that only new pages link to', () => {
  const before = { 'docs.json': docsJson(['a']) };
  const links = ['a', 'b', 'c', 'd'].map((name) => `[x](https://${name}-site.dev)`);
  const parts = { before, after: { ...before, 'a.mdx': page(links.join(' ')) } };
  expect(verdictMessage(judgementOf([], {}, parts))).toContain(
    'is routine: all of it is plain, with links to a-site.dev, b-site.dev, c-site.dev and 1 other site, which the docs did not link to before, and nothing',
  );
});
