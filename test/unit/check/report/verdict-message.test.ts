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
  [
    'block',
    ': 1 new page, text on 1 page, 1 picture and 1 entry of the navigation, no sentence, row or other part removed',
  ],
  // Without the rule, nobody looked for that.
  [
    'off',
    ' with removed switched off: 1 new page, text on 1 page, 1 picture and 1 entry of the navigation',
  ],
] as const)('says what was looked at, if that is routine', (severity, expected) => {
  const rules = new Map([['removed', severity]] as const);
  const before = { 'index.mdx': page('Hi.'), 'a.png': 'old' };
  const after = { 'index.mdx': page('Hello.'), 'new.mdx': page('New.'), 'a.png': 'new' };
  expect(verdictMessage(judgementOf([], { rules }, { before, after }))).toContain(
    `acme/docs#12 is routine${expected}; whether it is true, only a reader can tell.`,
  );
});

it('says of settings that are plain that it read them', () => {
  const [before, after] = ['Start', 'Begin'].map((group) => ({
    'docs.json': docsJson([{ group, pages: ['index'] }]),
  }));
  expect(
    verdictMessage(judgementOf([], {}, { before: before ?? {}, after: after ?? {} })),
  ).toContain(
    'is routine: names, icons or the order of the navigation, no sentence, row or other part removed',
  );
});

it('does not say that nothing was removed where a picture was', () => {
  const settings = { 'docs.json': docsJson(['index']) };
  const before = { ...settings, 'a.png': 'x' };
  expect(verdictMessage(judgementOf([], {}, { before, after: settings }))).toContain(
    'is routine: 1 unused picture deleted, no other part removed',
  );
});
