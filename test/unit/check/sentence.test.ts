import { describe, expect, it } from 'vitest';
import { markdownOf, plainOf, say } from '../../../src/check/sentence.ts';

describe('a text of the pull request in a sentence', () => {
  it('is quoted, unless it cannot be taken for a part of the sentence', () => {
    const sentence = say`${'/setup'} has ${1200} words on ${'more pages'}, and ${say`so has ${'#a'}`}.`;
    expect(plainOf(sentence)).toBe('/setup has 1,200 words on "more pages", and so has #a.');
  });

  it('is no Markdown, mention or tag', () => {
    expect(markdownOf(say`Nothing declares ${'{@acme/x <b>}'}.`)).toBe(
      'Nothing declares <code>&#123;&#64;acme/x &#60;b&#62;&#125;</code>.',
    );
  });

  it('is shortened, and stands in quotes if it is long', () => {
    const long = (count: number) => '/'.repeat(count);
    expect(plainOf(say`${long(80)} ${long(81)}`)).toBe(`${long(80)} "${long(81)}"`);
    expect(plainOf(say`${long(240)} ${long(241)}`)).toBe(`"${long(240)}" "${long(239)}…"`);
    expect(markdownOf(say`${'a'.repeat(241)}`)).toMatch(/^<code>a{239}[^a]+<\/code>$/);
    expect(plainOf(say`${'a\nb'} ${'setup'} ${'a b/c'}`)).toBe('"a b" "setup" "a b/c"');
  });

  it('stands in quotes that it does not have itself', () => {
    expect(plainOf(say`${'"retries": 3'} ${"it's"}`)).toBe(`'"retries": 3' "it's"`);
  });

  it('is told from words of ours', () => {
    expect(plainOf(say`The ${['part of a table']} is gone.`)).toBe('The part of a table is gone.');
  });
});
