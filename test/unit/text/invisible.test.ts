import { expect, it } from 'vitest';
import { removeInvisible } from '../../../src/text/invisible.ts';

it.each([
  ['plain text, `code` and 🙂 stay', 'plain text, `code` and 🙂 stay'],
  ['a\u202Eb\u{E0041}c\u2060', 'abc'],
  ['tab\tand\r\nline ends stay\u0007', 'tab\tand\r\nline ends stay'],
  ['👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم', '👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم'],
  ['a\u200Db\uFE0Fc\u200Cd', 'abcd'],
])('%j', (text, visible) => {
  expect(removeInvisible(text)).toBe(visible);
});
