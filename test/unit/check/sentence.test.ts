import { describe, expect, it } from 'vitest';
import { clause, markdownOf, plainOf, say } from '../../../src/check/sentence.ts';

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

  it.each([
    ['the list is too long', 'the list is too long'],
    ['the page is not valid MDX: <b>', 'the page is not valid MDX: <code>&#60;b&#62;</code>'],
    ['GitHub responded with 403 ("@a")', 'GitHub responded with 403 (<code>&#64;a</code>)'],
    ['GitHub did not respond (<b>)', 'GitHub did not respond (<code>&#60;b&#62;</code>)'],
    ['see www.evil.example: x', '<code>see www&#46;evil.example: x</code>'],
    ['ask @acme', '<code>ask &#64;acme</code>'],
  ])('is none in a clause either: %s', (problem, shown) => {
    expect(markdownOf(say`It failed: ${clause(problem)}.`)).toBe(`It failed: ${shown}.`);
  });
});
