import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanField, takeOutHidden } from '../../../src/agent/event-text.ts';

describe('what a reader of an issue cannot see', () => {
  it.each([
    ['plain text, `code` and 🙂 stay', 'plain text, `code` and 🙂 stay', 0, 0],
    ['a<!-- b -->c', 'ac', 1, 0],
    ['a<!-- b\nc -->d<!---->e', 'ade', 2, 0],
    ['a<!-->b-->', 'ab-->', 1, 0],
    ['a\n<!-- open\nto the end', 'a\n', 1, 0],
    ['an open `<!--` in a line is shown', 'an open `<!--` in a line is shown', 0, 0],
    ['<!-<!-- x -->- hidden -->', '', 2, 0],
    ['<!\u200B-- hidden -->', '', 1, 1],
    ['a\u202Eb\u{E0041}c\u2060', 'abc', 0, 3],
    ['tab\tand\r\nline ends stay\u0007', 'tab\tand\r\nline ends stay', 0, 1],
    ['👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', '👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', 0, 0],
    ['a\u200Db\uFE0Fc\u200Cd', 'abcd', 0, 3],
  ])('%j', (text, visible, comments, invisible) => {
    expect(takeOutHidden(text)).toEqual({ text: visible, comments, invisible });
  });

  it.each([
    ['in a fence', 'Steps:\n```html\n<!-- start\n```\nPlease!', 'same', 0],
    ['in a tilde fence', '~~~\n<!-- x -->\n~~~~\n', 'same', 0],
    ['in an open fence', '```\n<!-- x -->\n', 'same', 0],
    ['after a fence', '```\n<!-- x -->\n```\n<!-- y -->z', '```\n<!-- x -->\n```\nz', 1],
    ['a comment that holds a fence', '<!--\n```\nhidden\n```\n-->z', 'z', 1],
    [
      'a fence in HTML, which is none',
      '<div>\n```\n<!-- x -->\n```\n</div>',
      '<div>\n```\n\n```\n</div>',
      1,
    ],
    ['backticks in a line, which are no fence', '``` a ``` <!-- x -->', '``` a ``` ', 1],
    ['an indented fence, which is none', '    ```\n<!-- x -->\n', '    ```\n\n', 1],
    ['a fence closed by a longer one', '```\n````\n<!-- x -->', '```\n````\n', 1],
    ['a fence not closed by a shorter one', '````\n```\n<!-- x -->', 'same', 0],
  ])('comments %s', (_name, text, visible, comments) => {
    const expected = visible === 'same' ? text : visible;
    expect(takeOutHidden(text)).toEqual({ text: expected, comments, invisible: 0 });
  });

  it('is taken out of every text in a list or mapping', () => {
    const value = { title: 'a<!-- b -->', labels: [{ name: 'c\u200B' }, null, 7] };
    expect(cleanField(value)).toEqual({
      text: '{"title":"a","labels":[{"name":"c"},null,7]}',
      comments: 1,
      invisible: 1,
    });
  });

  it('leaves nothing to take out', () => {
    const part = fc.constantFrom(
      '<!--',
      '-->',
      '-',
      '<',
      '!',
      '>',
      '\n',
      'a',
      '\u200B',
      ' ',
      '```',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const once = takeOutHidden(parts.join(''));
        expect(takeOutHidden(once.text)).toEqual({ text: once.text, comments: 0, invisible: 0 });
      }),
      { numRuns: 2000 },
    );
  });
});
