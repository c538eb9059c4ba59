import { oneLine, shortened, unseen } from './plain.ts';

/** Longer lines help nobody; an annotation holds 4,096 characters. */
const maxLineLength = 2000;

/**
 * Makes `text` safe to print, on stdout or stderr.
 *
 * The runner executes workflow commands that it finds in printed text: `::command::` at the start
 * of a line, after any white space, and `##[command]` anywhere in a line. So the text is put on
 * one line, the second form is broken up, and the first is kept from the start of the line.
 */
export function logLine(text: string): string {
  const line = oneLine(text, maxLineLength).replaceAll('##[', '## [');
  return line.startsWith('::') ? `| ${line}` : line;
}

/**
 * Makes a text of several lines safe to print, with its indentation: each line gets a prefix, and
 * what a reader would not see is shown by its code point.
 */
export function logLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `| ${shortened(showUnseen(line), maxLineLength).replaceAll('##[', '## [')}`);
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
