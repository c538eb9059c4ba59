import { expect, it } from 'vitest';
import type { Judgement } from '../../../../src/check/judgement.ts';
import { messageOf } from '../../../../src/check/report/messages.ts';
import { say } from '../../../../src/check/sentence.ts';
import { factOf, findingOf, goneOf, judgementOf } from '../../../helpers/judgement.ts';

const message = (judgement: Judgement) => messageOf({ result: 'judged', judgement, report: '' });

const gone = goneOf('/old', 'old.mdx');
const fact = (file: string) => factOf('1', '2', file);

it.each([
  [
    'what blocks, and what else there is',
    [gone, fact('a.mdx:3')],
    'acme/docs#12 is blocked by 1 finding (dead-address in old.mdx), and 1 more finding needs a review: change the pull request, or set a rule that should not block to review or off in the input rules.',
  ],
  [
    'rules and files, and counts what it does not name',
    [
      ...['a.mdx:3', 'a.mdx:4', 'b c.mdx:1', 'd.mdx:1', 'e.mdx:1'].map(fact),
      findingOf('not-judged', say`x`, ['']),
    ],
    'acme/docs#12 needs a review because of 6 findings (fact-changed in a.mdx (2 times), fact-changed in "b c.mdx", fact-changed in d.mdx and 2 more).',
  ],
] as const)('names %s', (_name, findings, expected) => {
  expect(message(judgementOf(findings))).toBe(expected);
});

it.each([
  [
    { compared: ['text on 3 pages (1 new)', '2 samples', '1 link'] },
    'text on 3 pages (1 new), 2 samples and 1 link, nothing removed',
  ],
  [{ changedFiles: 2 }, '2 files, nothing removed'],
  // Without the rule, nobody looked for that.
  [{ changedFiles: 2, rulesOff: ['removed'] }, '2 files'],
] as const)('says what was looked at, if that is routine', (parts, expected) => {
  expect(message(judgementOf([], parts))).toBe(
    `acme/docs#12 is routine: ${expected}; whether it is true, only a reader can tell.`,
  );
});
