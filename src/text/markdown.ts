import { showUnseen } from './log.ts';
import { oneLine, shortened } from './plain.ts';

/**
 * What Markdown, HTML or GitHub's references could read inside a line: everything but letters,
 * digits and plain punctuation, and in that the beginnings of autolinks.
 */
// Without "i", which takes U+0345 for a letter, since a letter is its other case.
const meaningful = /[^\p{L}\p{N} ,./:;"'()+=?%-]|:(?=\/\/)|(?<=[wW]{3})\./gu;

/**
 * Text from outside as inline code that GitHub renders letter by letter.
 *
 * Inside `<code>` GitHub turns no mention, issue reference or closing keyword into anything. Every
 * character that Markdown, HTML or an autolink could read is written as an entity, which no parser
 * takes for syntax; that holds in table cells too, where a backtick fence would not.
 */
export function code(text: string, maxLength = 300): string {
  const escaped = oneLine(text, maxLength).replace(meaningful, entity);
  return `<code>${escaped}</code>`;
}

/** Text from outside as a block that GitHub renders line by line as it is. */
export function codeBlock(text: string, maxLength: number): string {
  const lines = shortened(text, maxLength).split(/\r\n|\r|\n/);
  const shown = lines.map(showUnseen).join('\n');
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** A link whose target is already known to be a well-formed https URL, with foreign words as its label. */
export function link(label: string, url: string): string {
  return `<a href="${url.replace(/[&"'<>|`*_~[\]()\\{}!$]/g, entity)}">${code(label)}</a>`;
}

/** A Markdown table of names and cells that are Markdown already; empty for no rows. */
export function factTable(rows: readonly (readonly [name: string, cell: string])[]): string {
  if (rows.length === 0) {
    return '';
  }
  return ['| | |', '|---|---|', ...rows.map(([name, cell]) => `| ${name} | ${cell} |`)].join('\n');
}

/** A Markdown table; the first column stands left, the others, of numbers, right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, index) => (index === 0 ? ':---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
