import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, createLineCounter } from '../../../../src/check/reading/line-counts.ts';

test.each([
  ['', 'a\nb\n', 2, 0],
  ['a\nb\n', '', 0, 2],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a\nb\n', 'b\na\n', 1, 1],
  ['a', 'a\n', 0, 0],
])('%j to %j: +%i -%i', (before, after, additions, deletions) => {
  expect(countLines(before, after)).toEqual({ additions, deletions });
});

test('the difference is that of the lengths, however large', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 });
  fc.assert(
    fc.property(lines, lines, fc.boolean(), (one, other, isLarge) => {
      const more = isLarge ? Array.from({ length: 2000 }, (_, index) => `new ${index}`) : [];
      const [before, after] = [one, [...other, ...more]];
      const text = (list: readonly string[]) => list.map((line) => `${line}\n`).join('');
      const { additions, deletions } = countLines(text(before), text(after));
      return additions - deletions === after.length - before.length;
    }),
  );
});

test('of very many texts that differ much, lines that only moved are not counted', () => {
  const count = createLineCounter(3);
  const moved = () => count('a\nb\n', 'b\na\n');
  expect(moved()).toEqual({ additions: 1, deletions: 1 });
  expect(count('a\n', 'b\n')).toEqual({ additions: 1, deletions: 1 });
  expect(moved()).toEqual({ additions: 0, deletions: 0 });
  expect(count('a\n', 'b\n')).toEqual({ additions: 1, deletions: 1 });
});
