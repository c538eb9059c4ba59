import { describe, expect, test } from 'vitest';
import { type MemoryFiles, memoryStore } from '../../sandbox/github/git/memory-store.ts';
import { findDocsRoot, listChanges, type MergedChange } from '../../scripts/history/changes.ts';
import { findReverted } from '../../scripts/history/reverted.ts';
import { importIntoGit } from '../helpers/git-import.ts';

/** A commit of the default branch; with `side`, the merge of a branch that changed `files`. */
interface Commit {
  readonly files: MemoryFiles;
  readonly message?: string;
  readonly side?: string;
  readonly author?: string;
  readonly at?: string;
}

/** The changes of a repository below `docs`, newest first. */
async function changesOf(commits: readonly Commit[]) {
  const store = memoryStore();
  let tip = store.add({ files: { 'docs/docs.json': '{}', 'docs/a.mdx': 'one' } });
  for (const { side, author = 'Ada', files, ...commit } of commits) {
    const person = { name: author, email: 'x@example.com' };
    const parents = [tip];
    if (side !== undefined) {
      parents.push(store.add({ files, parents: [tip], message: side }));
    }
    tip = store.add({ files, parents, author: person, ...commit });
  }
  const folder = await importIntoGit(store);
  return { folder, changes: await listChanges(folder, 'docs') };
}

const docs = (a: string, others: MemoryFiles = {}): MemoryFiles => ({
  'docs/docs.json': '{}',
  'docs/a.mdx': a,
  ...others,
});

describe('listChanges', () => {
  test('finds what each change of the docs touched, newest first, without the first commit', async () => {
    const { folder, changes } = await changesOf([
      { files: docs('two'), message: 'Edit a' },
      { files: docs('two', { 'src.ts': 'x' }), message: 'No docs' },
      { files: docs('three', { 'src.ts': 'y' }), message: 'Both', side: 'A commit of the branch' },
    ]);
    expect(await findDocsRoot(folder)).toBe('docs');
    expect(changes).toMatchObject([
      { subject: 'Both', isDocsOnly: false, files: [{ path: 'docs/a.mdx' }] },
      { subject: 'Edit a', isDocsOnly: true, files: [{ path: 'docs/a.mdx' }] },
    ]);
    expect(changes.map(({ commits }) => commits.length)).toEqual([2, 1]);
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

describe('findReverted', () => {
  const howOf = (changes: readonly MergedChange[], subject: string) =>
    findReverted(changes).get(changes.find((change) => change.subject === subject)?.sha ?? '');

  test('by a title, though the text differs', async () => {
    const { changes } = await changesOf([
      { files: docs('two'), message: 'Edit a (#1)' },
      { files: docs('one again'), message: 'Revert "Edit a" (#2)' },
    ]);
    expect(howOf(changes, 'Edit a (#1)')).toBe('said');
    expect(howOf(changes, 'Revert "Edit a" (#2)')).toBeUndefined();
  });

  test('by the title of a pull request that was merged', async () => {
    const merge = 'Merge pull request #1 from acme/x\n\nEdit a';
    const { changes } = await changesOf([
      { files: docs('two'), message: merge, side: 'Typo' },
      { files: docs('other'), message: 'Revert "Edit a"' },
    ]);
    expect(howOf(changes, 'Merge pull request #1 from acme/x')).toBe('said');
  });

  test('by the SHA of a commit that was merged with it', async () => {
    const first = { files: docs('two'), message: 'Merge', side: 'A commit' };
    const { changes: before } = await changesOf([first]);
    const sha = before[0]?.commits.at(-1);
    const { changes } = await changesOf([
      first,
      { files: docs('other'), message: `Undo\n\nThis reverts commit ${sha}.` },
    ]);
    expect(howOf(changes, 'Merge')).toBe('said');
  });

  test('by all or some of its files being as before', async () => {
    const { changes } = await changesOf([
      { files: docs('two'), message: 'Wholly' },
      { files: docs('one'), message: 'Back' },
      { files: docs('three', { 'docs/b.mdx': 'new' }), message: 'Partly' },
      { files: docs('one', { 'docs/b.mdx': 'new' }), message: 'Back in part' },
    ]);
    expect(howOf(changes, 'Wholly')).toBe('restored');
    expect(howOf(changes, 'Partly')).toBe('partly-restored');
    expect(howOf(changes, 'Back in part')).toBeUndefined();
  });

  test('not by what is done a month later, or by another edit', async () => {
    const { changes } = await changesOf([
      { files: docs('two'), message: 'Edit', at: '2026-03-01T00:00:00Z' },
      { files: docs('three'), message: 'Go on', at: '2026-03-02T00:00:00Z' },
      { files: docs('two'), message: 'Return', at: '2026-04-02T00:00:00Z' },
    ]);
    expect([...findReverted(changes)]).toEqual([]);
  });
});
