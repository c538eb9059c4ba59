import { oneLine } from './plain.ts';

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
