import { oneLine } from './plain.ts';

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
