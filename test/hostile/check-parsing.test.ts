import { expect, test } from 'vitest';
import { parsePage } from '../../src/check/docs/page.ts';
import { findingsOf, page } from '../helpers/change.ts';

/** Each takes a parser far longer than a real page of its size. What is refused was not judged. */
test.each([
  ['emphasis', '**a *b '.repeat(7000)],
  ['links', '['.repeat(49_000)],
  ['elements', '<a>\n'.repeat(60_000)],
  ['expressions', `{${'[\n'.repeat(200_000)}}`],
  ['quotes', `${'>'.repeat(40_000)} x`],
  ['a table', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n`],
])(
  'a page of %s ends',
  (_what, text) => {
    expect(
      parsePage(text).blocks.length + Number(parsePage(text).problem !== undefined),
    ).toBeGreaterThan(0);
  },
  60_000,
);

test.each(['a', '.', '-a', '1,'])(
  'the rules end on long words of %j',
  (part) => {
    const word = part.repeat(49_000 / part.length);
    const before = { 'a.mdx': page(Array<string>(9).fill(word).join('\n\n')) };
    // A pattern that begins again at each letter takes a minute.
    const rules = findingsOf({ before, after: { 'a.mdx': page('A') } });
    expect(rules.every(({ rule }) => rule === 'gone')).toBe(true);
  },
  30_000,
);

test('the rules end on a sample of empty lines', () => {
  const sample = `\`\`\`\n${'\n'.repeat(200_000)}ls\n\`\`\``;
  const after = { 'a.mdx': page(`A\n\n${sample}`) };
  expect(findingsOf({ before: { 'a.mdx': page('A') }, after })).toEqual([]);
}, 60_000);

test('the rules end on a long list of other items', () => {
  const list = (word: string) =>
    page(Array.from({ length: 7000 }, (_, index) => `- ${word}${index}`).join('\n'));
  const rules = findingsOf({ before: { 'a.mdx': list('a') }, after: { 'a.mdx': list('b') } });
  expect(rules.map(({ rule }) => rule)).toContain('gone');
}, 60_000);
