import { oneLine, shortened, unseen } from './plain.ts';

/** Longer lines are hard to read. GitHub's limit for an annotation is 4,096 characters. */
const maxLineLength = 2000;

/**
 * Escapes text for stdout and stderr.
 *
 * The runner executes workflow commands in printed text: `::command::` at the start of a line, even
 * after white space, and `##[command]` anywhere in a line. So the text becomes a single line, which does
 * not start with the first form, and the second form is broken up.
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
