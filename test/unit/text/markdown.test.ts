import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, link, table } from '../../../src/text/markdown.ts';
import { oneLine } from '../../../src/text/plain.ts';
import { hostileLine } from '../../helpers/hostile-lines.ts';

describe('foreign text in Markdown', () => {
  it.each([
    ['plain text, 1.10 (a "b")', '<code>plain text, 1.10 (a "b")</code>'],
    ['a | b', '<code>a &#124; b</code>'],
    ['<b>&amp;`', '<code>&#60;b&#62;&#38;amp;&#96;</code>'],
    ['@octocat #1 https://x', '<code>&#64;octocat &#35;1 https&#58;//x</code>'],
    ['www.example.com', '<code>www&#46;example.com</code>'],
    ['WwW.example.com', '<code>WwW&#46;example.com</code>'],
    ['größe 🙂', '<code>größe &#128578;</code>'],
    ['a\u0345', '<code>a&#837;</code>'],
  ])('%j', (text, markdown) => {
    expect(code(text)).toBe(markdown);
  });

  it('is nothing but letters, plain punctuation and entities', () => {
    fc.assert(
      fc.property(hostileLine, (text) => {
        const inside = code(text).slice('<code>'.length, -'</code>'.length);
        expect(inside.replace(/&#\d+;/g, '')).toMatch(/^[\p{L}\p{N} ,./:;"'()+=?%-]*$/u);
        expect(inside).not.toMatch(/:\/\/|www\./i);
        expect(decodeEntities(inside)).toBe(oneLine(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the label of a link', () => {
    expect(link('acme/docs#1', 'https://x.example/a(b)|c')).toBe(
      '<a href="https://x.example/a&#40;b&#41;&#124;c"><code>acme/docs&#35;1</code></a>',
    );
  });
});

function decodeEntities(text: string): string {
  return text.replace(/&#(\d+);/g, (_all, point) => String.fromCodePoint(Number(point)));
}

describe('a table', () => {
  it('has numbers on the right', () => {
    expect(table(['Page', 'All'], [['/', '1']])).toBe('| Page | All |\n| :--- | ---: |\n| / | 1 |');
  });
});
