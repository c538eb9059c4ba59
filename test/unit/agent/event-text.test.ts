import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeOutHidden } from '../../../src/agent/event-text.ts';

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
  ])('%j', (text, visible, comments, invisible) => {
    expect(takeOutHidden(text)).toEqual({ text: visible, comments, invisible });
  });

  it('leaves nothing to take out', () => {
    const part = fc.constantFrom('<!--', '-->', '-', '<', '!', '>', '\n', 'a', '\u200B', ' ');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const once = takeOutHidden(parts.join(''));
        expect(takeOutHidden(once.text)).toEqual({ text: once.text, comments: 0, invisible: 0 });
      }),
      { numRuns: 2000 },
    );
  });
});
