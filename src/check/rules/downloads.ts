import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';
import { changedMarkdown, linesOf, newLines } from './compare.ts';

const longestLine = 120;

/** What follows in a longer line is not searched. */
const mostSearched = 5000;

const program =
  '(?:sudo\\s+(?:-\\S+\\s+){0,3})?(?:\\S{0,30}/)?(?:(?:ba|z|da|k|fi)?sh|python3?(?! -m json)|node|perl|ruby|php|iex|invoke-expression)\\b';

const patterns = [
  new RegExp(
    `\\b(?:curl|wget|fetch|aria2c|irm|iwr|invoke-(?:webrequest|restmethod)|downloadstring|base64|https?:).{0,200}\\|\\s*${program}`,
    'iu',
  ),
  // The second line of such a command; no row of a table.
  new RegExp(`^\\s*\\|\\s*${program}[^|]*$`, 'iu'),
  /\b(?:(?:ba|z)?sh|eval|source|iex|invoke-expression)\b.{0,20}(?:<\(|\$\(|\(|`)\s{0,3}(?:curl|wget|irm|iwr|invoke-|new-object|base64)/iu,
  /\bbase64\s+(?:-d|-D|--decode)\b/iu,
];

/** New lines of Markdown with a command that runs what it downloads or decodes. */
export function downloadsThatRun(change: Change): readonly Finding[] {
  const pages = changedMarkdown(change);
  const known = new Set(
    pages.flatMap(({ file }) => linesOf(file.before).map(({ text }) => text.trim())),
  );
  return pages.flatMap(({ file }) =>
    newLines(file)
      .filter(({ text }) => isRunning(text) && !known.has(text.trim()))
      .map(({ text, line }) => ({
        rule: 'sample-changed' as const,
        file: file.path,
        line,
        what: `has a new line that runs what it downloads: ${shortened(text.trim(), longestLine)}`,
      })),
  );
}

function isRunning(line: string): boolean {
  const searched = line.slice(0, mostSearched);
  return patterns.some((pattern) => pattern.test(searched));
}
