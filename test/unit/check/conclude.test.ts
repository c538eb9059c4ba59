import { expect, test } from 'vitest';
import { applyRules } from '../../../src/check/conclude.ts';
import { changeOf, docsJson, page } from '../../helpers/change.ts';

test('a key in the name of a file is in no finding and no list of pages', () => {
  // Put together here, so that nobody takes it for a real key.
  const key = `gh${'p'}_k3Vq9ZtW1xYb7LmP0cRs5NdF8gHjA2uE4iQo`;
  const change = changeOf({
    before: {},
    after: { 'docs.json': docsJson([]), [`${key}.mdx`]: page('[x](/no)') },
  });
  const { findings, pages, verdict } = applyRules(
    { repository: 'acme/docs', number: 12 },
    {
      change,
      headSha: 'a'.repeat(40),
      previewLink: '',
      gaps: [],
      pendingChecks: [],
      pagesWithoutHistory: 0,
    },
    new Map(),
    { kind: 'off' },
  );
  expect(verdict).toBe('blocked');
  const files = Object.fromEntries(findings.map(({ rule, file }) => [rule, file]));
  expect(files).toMatchObject({ 'broken-link': 'ghp_….mdx', 'provider-key': 'ghp_….mdx' });
  expect(JSON.stringify(findings)).not.toContain(key);
  expect(pages.map(({ path }) => path)).toEqual(['ghp_….mdx']);
});
