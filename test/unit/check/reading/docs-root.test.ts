import { expect, test } from 'vitest';
import type { Tree } from '../../../../src/check/change.ts';
import type { RuleFinding } from '../../../../src/check/finding.ts';
import { findNavigationFiles } from '../../../../src/check/reading/docs-root.ts';
import { plainOf } from '../../../../src/check/sentence.ts';

function treeOf(...paths: string[]): Tree {
  return new Map(paths.map((path) => [path, { sha: path, kind: 'file', bytes: 1 }]));
}

function find(before: Tree, after: Tree, docsRoot?: string) {
  const unread: RuleFinding[] = [];
  const files = findNavigationFiles(docsRoot, before, after, unread);
  return { ...files, problems: unread.map(({ what }) => plainOf(what)) };
}

const same = (...paths: string[]) => [treeOf(...paths), treeOf(...paths)] as const;

test.each([
  [['docs.json', 'index.mdx'], 'docs.json'],
  [['docs/docs.json', 'docs/mint.json'], 'docs/docs.json'],
  [['docs/docs.json', 'node_modules/x/docs.json', '.github/docs.json'], 'docs/docs.json'],
])('%j: %s', (paths, file) => {
  expect(find(...same(...paths))).toEqual({ before: file, after: file, problems: [] });
});

test('several folders are an error that lists them', () => {
  expect(() => find(...same('a/docs.json', 'docs.json'))).toThrow(
    'Input docs-root is empty, and several folders have a docs.json: "a" and ".": give one of them.',
  );
});

test('the input chooses one of them', () => {
  expect(find(...same('a/docs.json', 'b/docs.json'), 'b')).toMatchObject({ after: 'b/docs.json' });
  expect(find(...same('a/docs.json', 'docs.json'), '')).toMatchObject({ after: 'docs.json' });
});

test('no such file is an error', () => {
  expect(() => find(...same('index.mdx'))).toThrow('the repository has no docs.json');
  expect(() => find(...same('docs.json'), 'docs')).toThrow('is "docs", and that folder has no');
  expect(() => find(...same('docs.json'), '..')).toThrow('is "..", and that folder has no');
});

test('a change that adds a second one does not make an error of the docs', () => {
  const found = find(treeOf('docs/docs.json'), treeOf('a/docs.json', 'docs/docs.json'));
  expect(found).toEqual({ before: 'docs/docs.json', after: 'docs/docs.json', problems: [] });
});

test('a change that takes it away is judged, which is said', () => {
  const found = find(treeOf('docs/docs.json'), treeOf('docs/index.mdx'));
  expect(found).toMatchObject({ before: 'docs/docs.json', after: 'docs/docs.json' });
  expect(found.problems).toHaveLength(1);
});

test('a change that moves it to another folder has a gap', () => {
  const found = find(treeOf('docs/docs.json'), treeOf('site/docs.json'));
  expect(found).toMatchObject({ before: 'docs/docs.json', after: 'site/docs.json' });
  expect(found.problems).toHaveLength(1);
});
