import { describe, expect, it } from 'vitest';
import { duration } from '../../../src/text/duration.ts';

describe('a span of time', () => {
  it.each([
    [0, '0 s'],
    [499, '0 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [200_000, '3 min 20 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%d ms are %s', (spanMs, words) => {
    expect(duration(spanMs)).toBe(words);
  });
});
