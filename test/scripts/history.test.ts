import { describe, expect, onTestFinished, test } from 'vitest';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { findDocsRoot, listChanges } from '../../scripts/history/changes.ts';

/** A commit of the default branch; with `side`, the merge of a branch that changed `files`. */
interface Commit {
  readonly files: Files;
  readonly message?: string;
  readonly side?: string;
  readonly author?: string;
  readonly at?: string;
}

/** The changes of a repository below `docs`, newest first. */
async function changesOf(commits: readonly Commit[]) {
  const git = createRepository();
  onTestFinished(() => git.close());
  let tip = git.commit({ files: { 'docs/docs.json': '{}', 'docs/a.mdx': 'one' } });
  for (const { side, author = 'Ada', files, ...commit } of commits) {
    const person = { name: author, email: 'x@example.com' };
    const parents = [tip];
    if (side !== undefined) {
      parents.push(git.commit({ files, parents: [tip], message: side }));
    }
    tip = git.commit({ files, parents, author: person, ...commit });
  }
  const { folder } = git;
  git.setRef('refs/heads/main', tip);
  return { folder, changes: await listChanges(folder, 'docs', '2039-01-01') };
}

const docs = (a: string, others: Files = {}): Files => ({
  'docs/docs.json': '{}',
  'docs/a.mdx': a,
  ...others,
});

describe('listChanges', () => {
  test('finds the merges that touch a page and only the docs, newest first', async () => {
    const { folder, changes } = await changesOf([
      { files: docs('two'), message: 'Edit a' },
      { files: docs('two', { 'src.ts': 'x' }), message: 'No docs' },
      { files: docs('three', { 'src.ts': 'y' }), message: 'Both' },
      { files: docs('three', { 'src.ts': 'y', 'docs/b.png': 'z' }), message: 'No page' },
      { files: docs('four', { 'src.ts': 'y', 'docs/b.png': 'z' }), message: 'Merge', side: 'One' },
      { files: docs('five', { 'src.ts': 'y' }), message: 'Later', at: '2040-01-01T00:00:00Z' },
    ]);
    expect(await findDocsRoot(folder)).toBe('docs');
    expect(changes).toMatchObject([
      { subject: 'Merge', files: ['docs/a.mdx'] },
      { subject: 'Edit a', files: ['docs/a.mdx'] },
    ]);
  });

  test.each([
    ['Ada', 'Edit', 'person'],
    ['renovate[bot]', 'Edit', 'bot'],
    ['mintlify[bot]', 'Edit', 'agent'],
    ['Ada', 'Edit\n\nCo-Authored-By: Claude <noreply@anthropic.com>', 'agent'],
    ['Ada', 'Edit\n\nCo-authored-by: Bob <bob@mintlify.com>', 'person'],
  ])('takes the author %s of %j as %s', async (author, message, kind) => {
    const { changes } = await changesOf([{ files: docs('two'), author, message }]);
    expect(changes.map((change) => change.author)).toEqual([kind]);
  });
});
