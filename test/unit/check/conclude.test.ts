import { expect, it } from 'vitest';
import { applyRules } from '../../../src/check/conclude.ts';
import { changeOf, docsJson, page } from '../../helpers/change.ts';

it('says the same thing of the same line only once', () => {
  const before = { 'docs.json': docsJson(['index']), 'index.mdx': page('Welcome.') };
  const after = { ...before, 'index.mdx': page('<b onClick={f}>A</b> <b onClick={f}>B</b>') };
  const reading = {
    change: changeOf({ before, after }),
    changedFiles: 1,
    headSha: 'a'.repeat(40),
    gaps: [],
    previewLink: '',
    pendingChecks: [],
    pagesWithoutHistory: 0,
  };
  const target = { repository: 'acme/docs', number: 12 };
  const { findings } = applyRules(target, reading, new Map(), { kind: 'off' });
  expect(findings.map(({ rule, line }) => `${rule}:${line}`)).toEqual(['code-in-page:6']);
});
