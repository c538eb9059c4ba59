import { expect, test } from 'vitest';
import type { Tree } from '../../../../src/check/change.ts';
import { componentsIn, findNavigationFiles } from '../../../../src/check/reading/assemble.ts';

function treeOf(...paths: string[]): Tree {
  return new Map(paths.map((path) => [path, { path, sha: path, kind: 'file', bytes: 1 }]));
}

const find = (before: Tree, after: Tree, docsRoot?: string) =>
  findNavigationFiles(docsRoot, before, after);

const same = (...paths: string[]) => [treeOf(...paths), treeOf(...paths)] as const;

test.each([
  [['docs.json', 'index.mdx'], 'docs.json'],
  [['docs/docs.json', 'docs/mint.json'], 'docs/docs.json'],
  [['docs/docs.json', 'node_modules/x/docs.json', '.github/docs.json'], 'docs/docs.json'],
])('%j: %s', (paths, file) => {
  expect(find(...same(...paths))).toEqual({ before: file, after: file });
});

test('several folders are an error that lists them', () => {
  expect(() => find(...same('a/docs.json', 'docs.json'))).toThrow(
    'Input docs-root is empty, and several folders have a docs.json, such as "a" and ".": give the folder that has this file.',
  );
  const many = [...'kjihgfedcba'].map((folder) => `${folder}/docs.json`);
  expect(() => find(...same(...many))).toThrow(
    'such as "a", "b", "c", "d", "e", "f", "g", "h", "i" and "j": ',
  );
});

test('the input chooses one of them', () => {
  expect(find(...same('a/docs.json', 'b/docs.json'), 'b')).toMatchObject({ after: 'b/docs.json' });
  expect(find(...same('a/docs.json', 'docs.json'), '')).toMatchObject({ after: 'docs.json' });
});

test.each([
  ['index.mdx', undefined, 'is empty, and the repository has no docs.json'],
  ['index.mdx', '', 'is ".", and the repository has no docs.json'],
  ['docs.json', 'docs', 'is "docs", and that folder has no docs.json, but "." does'],
  ['docs.json', '..', 'is "..", and that folder has no docs.json, but "." does'],
  ['a/docs.json b/docs.json', '', 'is ".", and that folder has no docs.json, but "a" and "b" do'],
])('no such file is an error that says where there is one: %s, %j', (paths, docsRoot, problem) => {
  expect(() => find(...same(...paths.split(' ')), docsRoot)).toThrow(
    `Input docs-root ${problem}: give the folder that has this file.`,
  );
});

test.each([
  ['adds a second one', ['a/docs.json', 'docs/docs.json'], 'docs/docs.json'],
  ['takes it away', ['docs/index.mdx'], 'docs/docs.json'],
  ['moves it to another folder', ['site/docs.json'], 'site/docs.json'],
])('a change that %s does not make an error of the docs', (_what, paths, after) => {
  const found = find(treeOf('docs/docs.json'), treeOf(...paths));
  expect(found).toEqual({ before: 'docs/docs.json', after });
});

test.each([
  ['<Own />', ['Own']],
  ["import Own from '/own.jsx'\n\n<Own.Part /> <Mine />", ['Mine']],
  ['import React, {\n  Own,\n  Any as Part,\n} from "/own.jsx"\n\n<Own /> <Part />', []],
  ["import * as all from 'x'\nimport * as Own from 'x'\n\n<Own.Part />", []],
  ["<Note>\n  import Own from '/own.jsx'\n\n  <Own />\n</Note>", ['Note']],
  ['export const Own = () => <b />\nexport default function Part() {}\n\n<Own /> <Part />', []],
  ['To import Own, see below.\n\n<Own />', ['Own']],
  ['import the parts.\n\n<Own />', ['Own']],
])('components that no text defines evidently work: %j', (text, names) => {
  expect([...componentsIn([text])]).toEqual(names);
  expect([...componentsIn(['<Own />', text])]).toEqual(names);
});
