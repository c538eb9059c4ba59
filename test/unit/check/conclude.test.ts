import { expect, test } from 'vitest';
import { applyRules } from '../../../src/check/conclude.ts';
import type { Judgement } from '../../../src/check/old-judgement.ts';
import { type ChangeParts, changeOf, docsJson, page } from '../../helpers/change.ts';

function judged(parts: ChangeParts): Judgement {
  const reading = {
    change: changeOf(parts),
    changedFiles: 1,
    headSha: 'a'.repeat(40),
    gaps: [],
    previewLink: '',
    pendingChecks: [],
    pagesWithoutHistory: 0,
  };
  const target = { repository: 'acme/docs', number: 12 };
  return applyRules(target, reading, new Map(), { kind: 'off' });
}

test('a key in the name of a file is in no finding and no list of pages', () => {
  // Put together here, so that nobody takes it for a real key.
  const key = `gh${'p'}_k3Vq9ZtW1xYb7LmP0cRs5NdF8gHjA2uE4iQo`;
  const { findings, pages, verdict } = judged({
    before: {},
    after: { 'docs.json': docsJson([]), [`${key}.mdx`]: page('[x](/no)') },
  });
  expect(verdict).toBe('blocked');
  const files = Object.fromEntries(findings.map(({ rule, file }) => [rule, file]));
  expect(files).toMatchObject({ 'broken-link': 'ghp_….mdx', 'provider-key': 'ghp_….mdx' });
  expect(JSON.stringify(findings)).not.toContain(key);
  expect(pages.map(({ path }) => path)).toEqual(['ghp_….mdx']);
});

test('the same thing is said of the same line only once', () => {
  const before = { 'docs.json': docsJson(['index']), 'index.mdx': page('Welcome.') };
  const after = { ...before, 'index.mdx': page('<b onClick={f}>A</b> <b onClick={f}>B</b>') };
  const found = judged({ before, after }).findings.map(({ rule, line }) => `${rule}:${line}`);
  expect(found).toEqual(['code-in-page:6']);
});
