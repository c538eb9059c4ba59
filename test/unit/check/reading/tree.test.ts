import { expect, test } from 'vitest';
import type { TreeEntry } from '../../../../src/check/change.ts';
import { changedFilesIn, readTree, type Trees } from '../../../../src/check/reading/tree.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';
import { githubSession, noSignal } from '../../../helpers/servers.ts';

/** Files such as `a.mdx=1`: a path and its SHA, or `a.mdx=1x` for one that is executable. */
const treeOf = (files: string) =>
  new Map(
    files.split(' ').map((file): [string, TreeEntry] => {
      const [path = '', text = ''] = file.split('=');
      const kind = text.endsWith('x') ? 'executable' : 'file';
      return [path, { path, sha: text.slice(0, 1), kind, bytes: 1 }];
    }),
  );

function differences(before: string, after: string, others: Partial<Trees> = {}) {
  const trees = { before: treeOf(before), after: treeOf(after), isWhole: true, listed: [] };
  return changedFilesIn({ ...trees, ...others }).map((one) => Object.values(one).join(' '));
}

const listed = [
  { name: 'b', status: 'modified', additions: 2, deletions: 3 },
  { name: 'z', previousName: 'e', status: 'renamed', additions: 4, deletions: 5 },
  { name: 'y', previousName: 'f', status: 'renamed', additions: 0, deletions: 0 },
] as unknown as Trees['listed'];

test('the trees say which files differ, and the list which of them were renamed', () => {
  const before = 'e=5 a=1 b=2 c=3 d=4 f=6';
  const after = 'z=7 y=6 d=4x b=8 a=1 g=9 f=1';
  expect(differences(before, after, { listed })).toEqual([
    'b modified 2 3',
    'c deleted 0 0',
    'd modified 0 0',
    'f modified 0 0',
    'g added 0 0',
    'y f renamed 0 0',
    'z e renamed 4 5',
  ]);
  expect(differences(before, after, { listed, isWhole: false })).toEqual([
    'b modified 2 3',
    'd modified 0 0',
    'f modified 0 0',
    'y f renamed 0 0',
    'z e renamed 4 5',
  ]);
});

test('a tree has files with their kinds, and says whether it is whole', async () => {
  const [sha, sha256] = ['a'.repeat(40), 'b'.repeat(64)];
  const entry = (path: string, mode: string, more = {}) => ({
    path,
    mode,
    type: 'blob',
    sha,
    ...more,
  });
  const tree = [
    entry('folder', '040000', { type: 'tree' }),
    entry('folder/a', '100644', { size: 7 }),
    entry('run', '100755', { sha: sha256 }),
    entry('link', '120000'),
    entry('other', '160000', { type: 'commit' }),
  ];
  const read = async (body: object) => {
    const { session } = await githubSession(() => ({ status: 200, body }));
    const deps = { session, repository: 'acme/docs', clock: fakeClock(), signal: noSignal };
    return await readTree('c'.repeat(40), deps);
  };
  const expected = new Map([
    ['folder/a', { path: 'folder/a', sha, kind: 'file', bytes: 7 }],
    ['run', { path: 'run', sha: sha256, kind: 'executable', bytes: 0 }],
    ['link', { path: 'link', sha, kind: 'symlink', bytes: 0 }],
    ['other', { path: 'other', sha, kind: 'submodule', bytes: 0 }],
  ]);
  const value = { entries: expected, isTruncated: true };
  expect(await read({ tree, truncated: true })).toEqual({ kind: 'ok', value });
  expect((await read({ tree, truncated: null })).kind).toBe('failed');
  expect((await read({ tree: [entry('a', '100644', { sha: 'x' })], truncated: false })).kind).toBe(
    'failed',
  );
});
