/**
 * The same text as the parsers of the day would have to read it: ours follows CommonMark 0.31, and
 * GitHub's (cmark-gfm) differs from that in a few places. What either hides is hidden, so a text in
 * which they differ is read in both ways. Every offset stays what it was.
 */
export function dialectsOf(text: string): readonly string[] {
  const rules = definition.test(text) ? [...onGitHub, labelledCall] : onGitHub;
  const github = rules.reduce(
    (read, [pattern, replace]) => read.replace(pattern, replace),
    withParagraphsOfGitHub(text),
  );
  return github === text ? [text] : [text, github];
}

type Rule = readonly [pattern: RegExp, replace: (found: string) => string];

/** What may define a label for links. */
const definition = /\[(?!\^)[^\]]*\]:/;

/** The same as the next but one, where a label follows that may be defined. */
const labelledCall: Rule = [/\[\^(?=[^\]\s]+\]\[(?!\^)[^\]]*\](?!\())/g, () => '[.'];

const onGitHub: readonly Rule[] = [
  // A declaration begins with a capital letter; others are text.
  [/<!(?=[a-z])/g, () => '.!'],
  // Behind anything else in a line these are white space.
  [/\S[ \t\v\f]*[\v\f]/g, (found) => found.replaceAll(/[\v\f]/g, ' ')],
  // White space below the mark of an empty item keeps it open for what follows.
  [
    /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]*(?:\r?\n|\r)[ \t>]*[ \t](?=[\r\n]|$)/gm,
    (found) => `${found.slice(0, -1)}.`,
  ],
  // An empty item may follow code, whatever our parser thinks of it.
  [
    /^(?: {4}|\t).*(?=(?:\r?\n|\r)[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]*$)/gm,
    (found) => '#'.padEnd(found.length),
  ],
  // An empty item ends the paragraph above its quote, too.
  [
    /^[ \t>]*>[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]*$)/gm,
    (found) => found.replace(/[^ \t>]+$/, (mark) => '#'.padEnd(mark.length)),
  ],
  // The first of these tags begins no block of HTML, the second does.
  [/<\/?search(?=[\s/>]|$)/gim, (found) => found.replace(/s/i, 'x')],
  [/<\/?source(?=[\s/>]|$)/gim, (found) => found.replace(/so/i, 'p ')],
  // What could be a footnote's call and the text of a link is the text of a link.
  [/\[\^(?=[^\]\s]+\]\()/g, () => '[.'],
  // Dashes under definitions are text.
  [
    /^[ \t>*+\-\d.)]*\[.*\]:.*(?:\r?\n|\r)(?:.*(?:\r?\n|\r)){0,2}?[ \t>]*-+(?=[ \t]*$)/gm,
    (found) => found.replace(/-+$/, (dashes) => dashes.replaceAll('-', '.')),
  ],
];

/** What marks a quote, a list item or a footnote at the start of a line. */
const containerLead = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:))+[ \t]*/;

/** A line that is one tag. */
const tagLine = /^[ \t>]*<\/?[A-Za-z][A-Za-z0-9-]*(?:[\s/][^<>]*)?>[ \t]*$/;

/** The line below the head of a table. */
const delimiterRow = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** What is before the first cell of a head that is indented like code. */
const indentedHead = /^(?: {4}|\t)[ \t]*\|?/;

/** What the lines since the last blank one have shown. */
interface Paragraph {
  /** The marks before its last line that has any. */
  readonly lead: string;
  readonly hasDelimiters: boolean;
  readonly isBegun: boolean;
}

const noParagraph: Paragraph = { lead: '', hasDelimiters: false, isBegun: false };

/**
 * Where a paragraph goes on in our parser, but not in GitHub's, and the other way round: a tag alone
 * in a line begins a block of HTML where the line lies outside the quote, list item or footnote of
 * the text above; of lines that may be the second of a table, only the first in a paragraph is, and
 * the head above it may be indented.
 */
function withParagraphsOfGitHub(text: string): string {
  let paragraph = noParagraph;
  const lines = text.split(/(\r\n|\n|\r)/);
  return lines
    .map((line, index) => {
      if (index % 2 === 1) {
        return line;
      }
      const before = paragraph;
      paragraph = continued(before, line);
      return asInParagraph(line, lines[index + 2] ?? '', before);
    })
    .join('');
}

function continued(paragraph: Paragraph, line: string): Paragraph {
  return /^[ \t>]*$/.test(line)
    ? noParagraph
    : {
        lead: containerLead.exec(line)?.[0] ?? paragraph.lead,
        hasDelimiters: paragraph.hasDelimiters || isDelimiters(line),
        isBegun: true,
      };
}

function asInParagraph(line: string, next: string, before: Paragraph): string {
  if (before.hasDelimiters && isDelimiters(line)) {
    return line.replaceAll('-', '.');
  }
  if (before.isBegun && isDelimiters(next) && indentedHead.test(line)) {
    return line.replace(indentedHead, (indent) => '.'.repeat(indent.length));
  }
  return tagLine.test(line) && isOutside(line, before.lead) ? withBlockTag(line) : line;
}

function isDelimiters(line: string): boolean {
  return /[|:]/.test(line) && delimiterRow.test(line);
}

/** The name of a tag that begins a block anywhere, and the rest of it as an attribute. */
function withBlockTag(line: string): string {
  return line.replace(
    /<(\/?)[A-Za-z]([^\s>/]?)/,
    (_tag, slash: string, second: string) => `<${slash}p${second && ' '}`,
  );
}

function isOutside(line: string, lead: string): boolean {
  const own = /^[ \t>]*/.exec(line)?.[0] ?? '';
  const quotes = (marks: string) => marks.split('>').length;
  const isItem = /[^ \t>]/.test(lead);
  return quotes(own) < quotes(lead) || (isItem && own.length < lead.length);
}
