import { describe, expect, it } from 'vitest';
import { counted, listed, oneLine, quoted } from '../../../src/text/plain.ts';

describe('one line', () => {
  it('is cut without breaking a character', () => {
    expect(oneLine('ab🙂cd', 4)).toBe('ab…');
    expect(oneLine('ab🙂cd', 5)).toBe('ab🙂…');
    expect(oneLine('abcd', 4)).toBe('abcd');
  });

  it('shows a received value in quotes', () => {
    expect(quoted('a\n b')).toBe('"a b"');
    expect(quoted('x'.repeat(200))).toHaveLength(82);
  });
});

describe('words', () => {
  it('lists and counts', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'or')]).toEqual([
      '',
      'a',
      'a and b',
      'a, b or c',
    ]);
    expect([counted(1, 'page'), counted(2, 'page')]).toEqual(['1 page', '2 pages']);
  });
});
