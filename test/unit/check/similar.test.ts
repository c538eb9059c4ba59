import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestTo } from '../../../src/check/similar.ts';

const words = ['broken-link', 'broken-anchor', 'new-domain', 'off'] as const;

describe('the closest word', () => {
  it.each([
    ['broken-link', 'broken-link'],
    ['broken-links', 'broken-link'],
    ['Broken_Anchor', 'broken-anchor'],
    ['new-doamin', 'new-domain'],
    ['of', 'off'],
    ['', undefined],
    ['spelling', undefined],
    ['x'.repeat(10_000), undefined],
  ])('to %o is %o', (word, closest) => {
    expect(closestTo(word, words)).toBe(closest);
  });

  it('is the word without a slip', () => {
    fc.assert(
      fc.property(fc.constantFrom('broken-anchor', 'new-domain'), fc.nat(12), (word, place) => {
        const slip = word.slice(0, place) + word.slice(place + 1);
        expect(closestTo(slip, words)).toBe(word);
      }),
    );
  });
});
