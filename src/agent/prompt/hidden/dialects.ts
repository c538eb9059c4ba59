/**
 * The same text as our parser would have to be given it to read it as GitHub's (cmark-gfm) does, which
 * follows an older CommonMark. Marks that mean nothing to GitHub's are dots here, and blank lines stand
 * where it ends a block; so the words stay, and a text is to be trusted only where all of these show
 * the same words.
 */
export function dialectsOf(text: string): readonly [ours: string, ...others: string[]] {
  const ours = withSlashesInValues(text.replace(/\r\n?/g, '\n'));
  const inLines = lineRules.reduce((read, [pattern, mark, dot = '.']) => {
    return read.replace(pattern, (found) => found.replaceAll(mark, dot));
  }, withOlderComments(ours));
  const all = [inLines, withBlocksOfGitHub(ours), withBlocksOfGitHub(inLines)];
  return [ours, ...new Set(all.filter((dialect) => dialect !== ours))];
}

/** Stands for a slash; Unicode keeps it free for programs. */
const slash = '\uFDD0';

/** Our parser takes a slash for the end of an attribute's value that has no quotes. */
function withSlashesInValues(text: string): string {
  return text
    .replaceAll(slash, '\uFFFD')
    .replace(/=\s*[^\s"'=<>`]+/g, (value) => value.replaceAll('/', slash));
}

/** HTML of a dialect, with slashes for what stood for them. */
export function withSlashes(html: string): string {
  return html.replace(/\uFDD0|%EF%B7%90/g, '/');
}

const lineRules: readonly (readonly [pattern: RegExp, mark: RegExp, dot?: string])[] = [
  // A declaration begins with a capital letter, and has a space behind its name.
  [/<!(?:[a-z]|[A-Z]+[^A-Z\s])/g, /</g],
  // The label of a footnote may hold brackets.
  [/\[\^[^\] \t\r\n]*\]/g, /(?<=.)\[/g],
  // What could be the call of a footnote and the text of a link is the text of a link.
  [/\[\^[^\]\s]+\]\(/g, /\^/g],
  // Behind anything else in a line these are white space.
  [/\S[ \t\v\f]*[\v\f]/g, /[\v\f]/g, ' '],
  // The first of these tags begins no block of HTML, the second does.
  [/<\/?search(?=[\s/>]|$)/gim, /(?<=<\/?)s/gi],
  [/<\/?source(?=[\s/>]|$)/gim, /(?<=<\/?)so/gi, 'p '],
];

/** Comments as older parsers read them in a line of text, behind the mark. */
const olderComment = /!--(?!-?>)(?:-?[^-])*-->/y;

/** In a line of text, a comment that holds dashes in a row is none. */
function withOlderComments(text: string): string {
  const lastEnd = text.lastIndexOf('-->');
  return text.replace(/<(?=!--)/g, (mark, at: number) => {
    olderComment.lastIndex = at + 1;
    const isComment = at > lastEnd || olderComment.test(text) || startsBlock(text, at);
    return isComment ? mark : '.';
  });
}

function startsBlock(text: string, at: number): boolean {
  const lineStart = text.lastIndexOf('\n', at) + 1;
  return /^ {0,3}$/.test(text.slice(lineStart, at).replace(containerLead, ''));
}

/** What marks a quote, a list item or a footnote at the start of a line. */
const containerLead =
  /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\] \t\r\n]+\]:))+[ \t]*/;

/** A line that is one tag. */
const tagLine = /^[ \t>]*<\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>[ \t]*$/i;

/** A line that is an empty list item, and what stands before it. */
const emptyItem =
  /^([ \t]*(?:(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*)(?:[-+*]|\d{1,9}[.)])[ \t]*$/;

/** The line below the head of a table. */
const delimiterRow =
  /^(?=.*[|:])[ \t\v\f>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** What the lines since the last blank one have shown. */
interface Above {
  readonly line: string;
  /** What stands before the text of the last line that has such marks. */
  readonly lead: string;
  readonly hasDelimiters: boolean;
  /** Whether they became a block of HTML, which only a blank line ends. */
  readonly isHtml: boolean;
}

const nothing: Above = { line: '', lead: '', hasDelimiters: false, isHtml: false };

/** Where a block ends or begins on GitHub, and not for our parser. */
function withBlocksOfGitHub(text: string): string {
  let above = nothing;
  const lines = text.split('\n').map((line, index, all) => {
    const written = above.isHtml ? line : asBelow(line, above, all[index + 1] ?? '');
    above = isBlank(line) ? nothing : withLine(line, written, above);
    return written;
  });
  return lines.join('\n');
}

function isBlank(line: string): boolean {
  return /^[ \t>]*$/.test(line);
}

function withLine(line: string, written: string, { lead, hasDelimiters, isHtml }: Above): Above {
  const indent = line.slice(0, line.search(/[^ \t>]/));
  return {
    line,
    lead: containerLead.exec(line)?.[0] ?? (lead || indent),
    hasDelimiters: hasDelimiters || delimiterRow.test(line),
    isHtml: isHtml || (written !== line && tagLine.test(line)),
  };
}

function asBelow(line: string, above: Above, next: string): string {
  // White space below the mark of an empty item keeps it open for what follows.
  if (isBlank(line)) {
    return /[ \t]$/.test(line) && emptyItem.test(above.line) ? `${line}.` : line;
  }
  // Of lines that may be the second of a table, only the first in a paragraph is.
  if (delimiterRow.test(line)) {
    return above.hasDelimiters ? line.replaceAll('-', '.') : line.replace(/[\v\f]/g, ' ');
  }
  // The first may be indented like code.
  if (delimiterRow.test(next) && above.line !== '') {
    return line.trimStart();
  }
  if (endsParagraph(line, above)) {
    return `\n${line}`;
  }
  // Dashes under definitions are text.
  const isText = /^[ \t>]*-+[ \t]*$/.test(line) && /\[.*\]:/.test(above.line);
  return isText ? line.replaceAll('-', '.') : line;
}

/**
 * Below a paragraph a block is begun by an empty item in another item or quote, or under code, and by
 * a tag alone in a line outside the quote, list item or footnote of the paragraph.
 */
function endsParagraph(line: string, { line: last, lead }: Above): boolean {
  const item = emptyItem.exec(line);
  return item === null
    ? tagLine.test(line) && isOutside(line, lead)
    : /\S/.test(item[1] ?? '') || /^(?: {4}|\t)/.test(last);
}

function isOutside(line: string, lead: string): boolean {
  const own = /^[ \t>]*/.exec(line)?.[0] ?? '';
  const quotes = (marks: string) => marks.split('>').length;
  return quotes(own) < quotes(lead) || own.length < lead.length;
}
