import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tree, TreeEntry } from '../../../../src/check/change.ts';
import { differencesOf } from '../../../../src/check/reading/differences.ts';
import { withRenames } from '../../../../src/check/reading/renames.ts';

/** Uses texts as their own SHAs. */
function treeOf(files: Readonly<Record<string, string>>): Tree {
  const entry = (text: string): TreeEntry => ({ sha: text, kind: 'file', bytes: text.length });
  return new Map(Object.entries(files).map(([path, text]) => [path, entry(text)]));
}

type Files = Readonly<Record<string, string>>;

function compare(before: Files, after: Files) {
  const differences = differencesOf(treeOf(before), treeOf(after), true);
  return withRenames(differences, (sha) => sha).map(
    ({ path, previousPath, before: old, after: now }) =>
      [previousPath ?? (old ? path : '-'), now ? path : '-'].join(' > '),
  );
}

const long = 'one\ntwo\nthree\nfour\n';

test('equal trees have no differences', () => {
  expect(compare({ a: 'x', b: 'y' }, { b: 'y', a: 'x' })).toEqual([]);
});

test('a file that moved is renamed, and one that is similar too', () => {
  const before = { 'a.mdx': long, 'b.mdx': 'five\nsix\nseven\n' };
  const after = { 'c.mdx': long, 'd.mdx': 'five\nsix\neight\n' };
  expect(compare(before, after)).toEqual(['a.mdx > c.mdx', 'b.mdx > d.mdx']);
});

test('a file that shares too little, or has another extension, is a new one', () => {
  expect(compare({ 'a.mdx': long }, { 'b.mdx': 'one\nx\ny\nz\n' })).toEqual([
    'a.mdx > -',
    '- > b.mdx',
  ]);
  expect(compare({ 'a.mdx': long }, { 'b.txt': `${long}x` })).toEqual(['a.mdx > -', '- > b.txt']);
});

test('of several candidates, the same content and then the same name win', () => {
  const before = { 'a/x.mdx': long, 'a/y.mdx': long };
  const after = { 'b/y.mdx': long, 'b/x.mdx': long, 'b/z.mdx': `${long}five\n` };
  expect(compare(before, after)).toEqual(['a/x.mdx > b/x.mdx', 'a/y.mdx > b/y.mdx', '- > b/z.mdx']);
});

test('a page with the same address is the same page, whatever it says', () => {
  expect(compare({ 'a.mdx': long }, { 'a.md': 'else\n', 'b.mdx': long })).toEqual([
    'a.mdx > a.md',
    '- > b.mdx',
  ]);
  expect(compare({ 'g/a.mdx': long }, { 'g/a/index.mdx': 'else\n' })).toEqual([
    'g/a.mdx > g/a/index.mdx',
  ]);
  expect(compare({ 'a.json': long }, { 'a.yaml': 'else\n' })).toEqual(['a.json > -', '- > a.yaml']);
});

test('thousands of files that share nothing are given up', () => {
  const files = (name: string) =>
    Object.fromEntries(
      Array.from({ length: 6000 }, (_, index) => [
        `${name}${index}.json`,
        `${name}\n${name}${index}\n${name}`,
      ]),
    );
  expect(compare(files('x'), files('y'))).toHaveLength(12_000);
});

test('empty files are not the same file', () => {
  expect(compare({ 'a.mdx': '' }, { 'b.mdx': '' })).toEqual(['a.mdx > -', '- > b.mdx']);
});

test('a file that only became executable is a difference', () => {
  const before = treeOf({ a: 'x' });
  const after: Tree = new Map([['a', { sha: 'x', kind: 'executable', bytes: 1 }]]);
  expect(differencesOf(before, after, true)).toHaveLength(1);
});

test('every path that was or is there occurs once', () => {
  const files = fc.dictionary(
    fc.constantFrom('a.mdx', 'b.mdx', 'c.mdx', 'd/a.mdx', 'e.txt'),
    fc.constantFrom(long, `${long}five\n`, 'one\ntwo\n', 'else\n'),
  );
  fc.assert(
    fc.property(files, files, (before, after) => {
      const seen = compare(before, after).flatMap((line) => {
        const [from, to] = line.split(' > ');
        return [
          ...(from === '-' ? [] : [`before ${from}`]),
          ...(to === '-' ? [] : [`after ${to}`]),
        ];
      });
      const differs = (path: string) => before[path] !== after[path];
      const expected = [
        ...Object.keys(before)
          .filter(differs)
          .map((path) => `before ${path}`),
        ...Object.keys(after)
          .filter(differs)
          .map((path) => `after ${path}`),
      ];
      expect(seen.toSorted()).toEqual(expected.toSorted());
    }),
  );
});
