import { describe, expect, it } from 'vitest';
import { verdictWords } from '../../../../src/check/report/messages.ts';
import { docsJson, page, type Texts } from '../../../helpers/change.ts';
import { judgementOf } from '../../../helpers/judgement.ts';

const before = { 'docs.json': docsJson(['index']), 'index.mdx': page('Welcome.') };
const words = (change: Texts) =>
  verdictWords(judgementOf({ before, after: { ...before, ...change } }));

describe('what to do about a blocked pull request', () => {
  const allow =
    'name what it may change in the input allowed-paths (a file that runs by its extension, such as tools/*.py)';
  const rule = 'set a rule that should not block to review or off in the input rules';

  it.each([
    ['a file that nobody expects', { 'build.py': '' }, `change the pull request, or ${allow}`],
    ['a file that no input allows', { '.github/a.py': '' }, `change the pull request, or ${rule}`],
    [
      'another finding',
      { 'index.mdx': page('[Next](/nowhere)') },
      `change the pull request, or ${rule}`,
    ],
    [
      'both',
      { 'build.py': '', 'index.mdx': page('[Next](/nowhere)') },
      `change the pull request, or ${allow}, or ${rule}`,
    ],
  ])('%s', (_name, change, advice) => {
    expect(words(change).split(': ').at(-1)).toBe(advice);
  });
});

it('says where the page is that could not be judged', () => {
  expect(words({ 'index.mdx': page('<Card>') })).toMatch(
    /^needs a review: 1 part that could not be judged \(index\.mdx:6: the page is not valid MDX: /,
  );
});

it('counts what one rule finds in one file', () => {
  const words = page('[A](/a) [B](/b)\n\n[C](/c)');
  const judgement = judgementOf({ before, after: { ...before, 'index.mdx': words } });
  expect(verdictWords(judgement)).toMatch(
    /^is blocked by 3 findings \(broken-link in index\.mdx \(3 times\)\): /,
  );
});
