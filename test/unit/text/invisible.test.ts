import { expect, it } from 'vitest';
import { removeInvisible } from '../../../src/text/invisible.ts';

it.each([
  ['plain text, `code` and 🙂 stay', 'plain text, `code` and 🙂 stay', 0],
  ['a\u202Eb\u{E0041}c\u2060', 'abc', 3],
  ['tab\tand\r\nline ends stay\u0007', 'tab\tand\r\nline ends stay', 1],
  ['👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', '👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', 0],
  ['a\u200Db\uFE0Fc\u200Cd', 'abcd', 3],
])('%j', (text, visible, removed) => {
  expect(removeInvisible(text)).toEqual({ text: visible, removed });
});
