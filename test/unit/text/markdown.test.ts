import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, codeBlock, factTable, link, prose, table } from '../../../src/text/markdown.ts';
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

it.each([
  ['a\n```\nb\u200b\r\nc\rd', 300, 'text', '````text\na\n```\nb<U+200B>\nc\nd\n````'],
  ['x'.repeat(700), 700, 'diff', `\`\`\`diff\n${'x'.repeat(700)}\n\`\`\``],
  ['abcd', 3, 'diff', '```diff\nab…\n```'],
] as const)('a block cannot be ended by its text: %j', (text, maxLength, language, block) => {
  expect(codeBlock(text, maxLength, language)).toBe(block);
});

it.each([
  ['The job (12%) failed, at 8:40 or 1.5 h.', undefined],
  ['see @owner now', 'see <code>&#64;owner</code> now'],
  ['in "a b", or "c', 'in <code>"a b"</code>, or <code>"</code>c'],
  ['at abcdef0.', 'at <code>abcdef0</code>.'],
  ['at abcdef, gh-a', undefined],
  ['as GH-12 says', 'as <code>GH-12</code> says'],
  ['of www.x.y', 'of <code>www&#46;x.y</code>'],
  ['of x_y', 'of <code>x&#95;y</code>'],
  ['of it (x_y).', 'of it (<code>x&#95;y</code>).'],
])('a sentence has code where it could be more than words: %j', (text, markdown = text) => {
  expect(prose(text)).toBe(markdown);
});

describe('a table', () => {
  it('of facts has no heading, and is empty without any', () => {
    expect(factTable([['Job', '`x`'] as const, ['Model', 'y'] as const])).toBe(
      '| | |\n|---|---|\n| Job | `x` |\n| Model | y |',
    );
    expect(factTable([])).toBe('');
  });

  it('has numbers on the right', () => {
    expect(table(['Page', 'All'], [['/', '1']])).toBe('| Page | All |\n| :--- | ---: |\n| / | 1 |');
  });
});
