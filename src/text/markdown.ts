import { oneLine, shortened, showUnseen } from './plain.ts';

/**
 * Characters in a line that could mean something to Markdown, HTML or GitHub: everything except letters,
 * digits and plain punctuation, and the punctuation that starts an autolink.
 */
// Without the flag "i", which would treat U+0345 as a letter, because its upper case is one.
const meaningful = /[^\p{L}\p{N} ,./:;"'()+=?%-]|:(?=\/\/)|(?<=[wW]{3})\./gu;

/**
 * Formats untrusted text as inline code.
 *
 * Inside `<code>`, GitHub ignores mentions, issue references and closing keywords. Every character that
 * could be syntax becomes an entity. This works in table cells too, unlike backticks.
 */
export function code(text: string, maxLength = 300): string {
  const escaped = oneLine(text, maxLength).replace(meaningful, entity);
  return `<code>${escaped}</code>`;
}

/**
 * Formats text from outside as a block of code, which GitHub shows line by line as it is.
 * @param language `diff` gives lines that begin with `+` and `-` their colours
 */
export function codeBlock(
  text: string,
  maxLength: number,
  language: 'text' | 'diff' = 'text',
): string {
  const lines = shortened(text, maxLength).split(/\r\n|\r|\n/);
  return fenced(language, lines.map(showUnseen));
}

/** A block of code whose fence is longer than any fence inside, so that no line can end the block early. */
export function fenced(language: string, lines: readonly string[]): string {
  const text = lines.join('\n');
  const length = [...text.matchAll(/`+/g)].reduce(
    (most, [run]) => Math.max(most, run.length + 1),
    3,
  );
  const fence = '`'.repeat(length);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Formats a sentence that may contain untrusted text. Quoted text becomes inline code, and so does each word
 * that has anything but letters, digits and plain punctuation, because it could be a mention, a reference, a
 * link or markup. Everything else stays as it is.
 */
export function prose(text: string, maxLength = 2000): string {
  const parts = oneLine(text, maxLength).match(words) ?? [];
  return parts.map((part) => (isPlainWord(part) ? part : code(part, maxLength))).join('');
}

/** Quoted text, opening brackets, words without the punctuation that follows them, punctuation, and white space. */
const words = /"(?:\\.|[^"\\])*"|\(+|[^\s"]+?(?=[),.:;?]*(?:[\s"]|$))|[),.:;?]+|\s+|"/g;

/** A commit, and `GH-12`, become links even without any punctuation. */
function isPlainWord(part: string): boolean {
  return (
    /^(?:\s+|[(),.:;?]+|[\p{L}\p{N}][\p{L}\p{N}'%/-]*(?:\.[\p{L}\p{N}]+|:\p{N}+)*)$/u.test(part) &&
    !/^(?:[\da-f]{7,}|gh-\d+|www\..*)$/i.test(part)
  );
}

/** A link whose label is text from outside. The target has to be a well-formed https URL. */
export function link(label: string, url: string): string {
  return ownLink(code(label), url);
}

/** A link whose label is Markdown of our own. The target has to be a well-formed https URL. */
export function ownLink(label: string, url: string): string {
  return `<a href="${url.replace(/[&"'<>|`*_~[\]()\\{}!$]/g, entity)}">${label}</a>`;
}

/** A Markdown table with a name and a cell of Markdown in each row; empty if there are no rows. */
export function factTable(rows: readonly (readonly [name: string, cell: string])[]): string {
  if (rows.length === 0) {
    return '';
  }
  return ['| | |', '|---|---|', ...rows.map(([name, cell]) => `| ${name} | ${cell} |`)].join('\n');
}

/** A Markdown table. The first column is aligned left, and the others, which are numbers, right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, index) => (index === 0 ? ':---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
