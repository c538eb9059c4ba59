import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration } from '../../../src/text/duration.ts';
import { logLine } from '../../../src/text/log.ts';
import { code, link } from '../../../src/text/markdown.ts';
import { counted, listed, oneLine, quoted } from '../../../src/text/plain.ts';
import { isLoopback } from '../../../src/text/url.ts';

/** Texts made of what the runner, Markdown and HTML react to. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '::',
        '##[',
        '#',
        '[',
        ']',
        '\n',
        '\r',
        ' ',
        '\u2028',
        '<',
        '>',
        '`',
        '|',
        '@',
      ),
      fc.constantFrom('error', 'add-mask', 'https://', 'www.', '*', '_', '&', ';', '\\', '\u202E'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe('a line for the log', () => {
  it.each([
    ['plain', 'plain'],
    ['a\nb\r\nc\rd', 'a b c d'],
    ['::error::x', '| ::error::x'],
    [' \t::error::x', '| ::error::x'],
    ['\u200B::error::x', '| ::error::x'],
    ['x ##[error]y', 'x ## [error]y'],
    ['##\u200B[error]', '## [error]'],
    ['tab\tbell\u0007bidi\u202Eend', 'tab bell bidi end'],
  ])('%j', (text, line) => {
    expect(logLine(text)).toBe(line);
  });

  it('is cut where nobody reads on', () => {
    expect(logLine('x'.repeat(5_000))).toHaveLength(2_000);
  });

  it('never holds a command, nor a line end', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = logLine(text);
        expect(line).not.toMatch(/^\s*::|##\[|[\r\n\u2028\u2029]/);
        expect(line.length).toBeLessThanOrEqual(2100);
      }),
      { numRuns: 2000 },
    );
  });
});

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
      fc.property(hostile, (text) => {
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

describe('words', () => {
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

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['localhost.example', '127.0.0.1.example', '10.0.0.1', '0.0.0.0', '[::2]', ''])(
    'not %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
