import { expect, test } from 'vitest';
import { parsePages } from '../../src/check/reading/parse-pages.ts';
import { realClock } from '../../src/runner/clock.ts';

const deps = { clock: realClock, signal: new AbortController().signal };

/** Each takes a parser far longer than its limit, or more memory. */
test.concurrent.each([
  ['emphasis', '**a *b '.repeat(150_000)],
  ['links', '['.repeat(900_000)],
  ['elements', '<a>'.repeat(100_000)],
  ['expressions', `{${'['.repeat(500_000)}}`],
])('a page of %s costs no other page', async (_what, text) => {
  const pages = await parsePages(
    [
      { path: 'first.mdx', text: '# First\n' },
      { path: 'busy.mdx', text },
      { path: 'last.mdx', text: '# Last\n' },
    ],
    deps,
  );
  expect(pages.map((page) => page?.problem === undefined)).toEqual([true, expect.anything(), true]);
  expect(pages.map((page) => page?.anchors[0])).toEqual(['first', undefined, 'last']);
});
