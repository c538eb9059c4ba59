import { expect, it } from 'vitest';
import { describeHidden, visiblePlainText } from '../../../../src/agent/prompt/visible-text.ts';

it.each([
  ['plain text, `code` and 🙂 stay', 'plain text, `code` and 🙂 stay', 0],
  ['a\u202Eb\u{E0041}c\u2060', 'abc', 3],
  ['tab\tand\r\nline ends stay\u0007', 'tab\tand\r\nline ends stay', 1],
  ['👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', '👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', 0],
  ['a\u200Db\uFE0Fc\u200Cd', 'abcd', 3],
])('%j', (text, visible, invisible) => {
  expect(visiblePlainText(text)).toEqual({
    text: visible,
    hidden: Array(invisible).fill('invisible'),
  });
});

it('describes what was left out', () => {
  expect(describeHidden([])).toBe('');
  expect(describeHidden(['invisible', 'html', 'word', 'invisible', 'html', 'invisible'])).toBe(
    '2 HTML comments, tags and attributes, 1 word that Markdown does not show and 3 invisible characters',
  );
});
