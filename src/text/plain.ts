import { grouped } from './number.ts';
import { withoutKeys } from './secret.ts';

/**
 * Characters that people cannot see, but terminals, renderers and agents process: control characters
 * (including line ends), bidirectional marks, zero-width and tag characters, lone surrogates.
 */
export const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * Turns untrusted text into one line: invisible characters and runs of white space become single spaces,
 * and text longer than `maxLength` (in UTF-16 units) is cut.
 */
export function oneLine(text: string, maxLength = 300): string {
  return shortened(text.replace(unseen, ' ').replace(/\s+/gu, ' ').trim(), maxLength);
}

/** Cuts text that is longer than `maxLength` (in UTF-16 units), with an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) {
    return text;
  }
  // A surrogate pair is never cut in two.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Formats a received value for a sentence: on one line, shortened, in quotes. People paste keys into other inputs,
 * and a server may return a part of the key, so whatever has the form of a key is left out.
 */
export function quoted(text: string, maxLength = 80): string {
  return JSON.stringify(oneLine(withoutKeys(text), maxLength));
}

/** Joins words: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], conjunction = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `1 page`, `12,345 pages`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

/** A text in which characters that a reader would not see, other than tabs, are written as `<U+200B>`. */
export function showUnseen(line: string): string {
  return line.replace(unseen, (found) =>
    [...found].map((character) => (character === '\t' ? character : codePoint(character))).join(''),
  );
}

function codePoint(character: string): string {
  const digits = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `<U+${digits}>`;
}
