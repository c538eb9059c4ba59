import { expect, it } from 'vitest';
import { counted, listed, oneLine, quoted, showUnseen } from '../../../src/text/plain.ts';

it.each([
  [' a\n\tb\u200B\u202Ec\u2003d ', 300, 'a b c d'],
  ['abcd', 4, 'abcd'],
  ['ab🙂cd', 4, 'ab…'],
  ['ab🙂cd', 5, 'ab🙂…'],
  ['x'.repeat(301), undefined, `${'x'.repeat(299)}…`],
])('%j on one line of %s', (text, maxLength, line) => {
  expect(oneLine(text, maxLength)).toBe(line);
});

it('a received value stands in quotes, shortened to 80 characters', () => {
  expect(quoted(`a\n ${'b'.repeat(78)}`)).toBe(`"a ${'b'.repeat(78)}"`);
  expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(79)}…"`);
  expect(quoted('a "b" \\c')).toBe('"a \\"b\\" \\\\c"');
});

it('a received value has no key, whole or in part', () => {
  expect(quoted(`a mint_dsc_k3y-${'x'.repeat(80)} b`)).toBe('"a *** b"');
});

it('words are listed and counted', () => {
  const lists = [listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'or')];
  expect(lists).toEqual(['', 'a', 'a and b', 'a, b or c']);
  const counts = [counted(0, 'page'), counted(1, 'page'), counted(1200, 'entry', 'entries')];
  expect(counts).toEqual(['0 pages', '1 page', '1,200 entries']);
});

it('characters that nobody sees are shown, other than tabs', () => {
  expect(showUnseen('a\t\u0007\u200B\u{E0041}🙂')).toBe('a\t<U+0007><U+200B><U+E0041>🙂');
});
