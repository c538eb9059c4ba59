import type { Nodes, Parents, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import {
  drawn,
  type HtmlState,
  noteShown,
  readHtml,
  shortAddress,
  showsSomething,
} from './visible-html.ts';
import {
  countHidden,
  type HiddenKind,
  type VisibleText,
  visiblePlainText,
} from './visible-text.ts';

/** A node, by its type. */
type NodeOf = { readonly [Node in Nodes as Node['type']]: Node };

type Range = readonly [start: number, end: number];

/** A part of the source, and what is left of it. */
interface Part {
  readonly range: Range;
  readonly text: string;
  /** Whether a formula can begin or end in it. */
  readonly isText: boolean;
}

/**
 * The source, and the parts of it that reach the agent, in order. Of what stands between them, only marks
 * of Markdown do: no letter gets through unless the code below finds that readers see it.
 */
interface Draft {
  readonly source: string;
  readonly parts: Part[];
  readonly hidden: HiddenKind[];
  readonly html: HtmlState;
  /** The addresses of definitions, each until it is used: so the text cannot grow. */
  readonly addresses: Map<string, string>;
  /** The numbers of the footnotes that the text calls, by label. */
  readonly footnotes: Map<string, number>;
  readonly definedFootnotes: Set<string>;
  readonly showsFootnotes: boolean;
  /** Where the current block begins, such as a paragraph or a table. */
  blockStart: number;
  /** Whether that block consists of lines of text. */
  isInLines: boolean;
  /** Whether it has a backtick that begins no code, and that GitHub may pair with one that does. */
  hasLooseTick: boolean;
  /** Whether the rest is left out, since HTML hides it or GitHub may read it differently. */
  isCut: boolean;
}

/**
 * What a reader of the rendered Markdown is known to see of it, as it was written. What is drawn, or
 * may be hidden, or may be read differently by GitHub, is left out, with a note in its place.
 */
export function visibleMarkdown(markdown: string): VisibleText {
  // GitHub takes these for white space, our parser does not.
  if (/[\v\f]/.test(markdown)) {
    return { text: note('a text with form feeds'), hidden: ['unclear'] };
  }
  const source = markdown.replaceAll(hole, gap);
  const extensions = [gfm()];
  const tree = fromMarkdown(source, { extensions, mdastExtensions: [gfmFromMarkdown()] });
  const draft = readTree(tree, source, true);
  // GitHub shows footnotes behind all other text, where what cut it off may hide them, too.
  return assemble(draft.isCut ? readTree(tree, source, false) : draft);
}

function note(what: string): string {
  return `(left out: ${what})`;
}

function readTree(tree: Root, source: string, showsFootnotes: boolean): Draft {
  const hidden: HiddenKind[] = [];
  const draft: Draft = {
    source,
    parts: [],
    hidden,
    html: { hidden },
    addresses: new Map(),
    footnotes: new Map(),
    definedFootnotes: new Set(),
    showsFootnotes,
    blockStart: 0,
    isInLines: false,
    hasLooseTick: false,
    isCut: false,
  };
  collect(tree, draft);
  readNode(tree.type, tree, draft);
  return draft;
}

/** The first of several definitions counts. A footnote that only another one calls is left out. */
function collect(node: Nodes, draft: Draft): void {
  const { addresses, footnotes } = draft;
  if (node.type === 'definition') {
    addresses.set(node.identifier, addresses.get(node.identifier) ?? node.url);
  } else if (node.type === 'footnoteReference') {
    footnotes.set(node.identifier, footnotes.get(node.identifier) ?? footnotes.size + 1);
  } else if ('children' in node && node.type !== 'footnoteDefinition') {
    for (const child of node.children) {
      collect(child, draft);
    }
  }
}

function rangeOf({ position }: Pick<Nodes, 'position'>): Range {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

function writtenOf(node: Nodes, { source }: Draft): string {
  return source.slice(...rangeOf(node));
}

function put(draft: Draft, range: Range, text: string, isText = false): void {
  if (!draft.isCut) {
    draft.parts.push({ range, text, isText });
  }
}

function leaveOut(draft: Draft, range: Range, kind: HiddenKind, text = ''): void {
  put(draft, range, text);
  draft.hidden.push(kind);
}

/** Leaves out the block that is being read, and all that follows it. */
function cut(draft: Draft): void {
  const { parts, blockStart } = draft;
  if (draft.isCut) {
    return;
  }
  while ((parts.at(-1)?.range[0] ?? -1) >= blockStart) {
    parts.pop();
  }
  const text = note('the rest, which may not be visible');
  leaveOut(draft, [blockStart, draft.source.length], 'unclear', text);
  draft.isCut = true;
}

type Readers = {
  readonly [Type in keyof NodeOf]?: (node: NodeOf[Type], draft: Draft) => void;
};

/** Breaks and lines have nothing but marks. What is new is not let through. */
const readers: Readers = {
  text: readText,
  inlineCode: readCodeSpan,
  code: readCode,
  html: readHtmlNode,
  image: readImage,
  imageReference: readImage,
  link: readLink,
  linkReference: readLink,
  definition: (node, draft) => leaveOut(draft, rangeOf(node), 'definition'),
  footnoteReference: readFootnoteCall,
  footnoteDefinition: readFootnote,
  table: readTable,
  paragraph: readLines,
  heading: readLines,
  tableCell: readLines,
  root: readChildren,
  blockquote: readChildren,
  list: readChildren,
  listItem: readChildren,
  tableRow: readChildren,
  emphasis: readChildren,
  strong: readChildren,
  delete: readChildren,
};

function readNode<Type extends keyof NodeOf>(type: Type, node: NodeOf[Type], draft: Draft): void {
  // The parser makes some links afterwards, which have no position.
  if (draft.isCut || node.position === undefined) {
    return;
  }
  if (!draft.isInLines) {
    draft.blockStart = rangeOf(node)[0];
  }
  readers[type]?.(node, draft);
}

function readChildren(node: Parents, draft: Draft): void {
  for (const child of node.children) {
    readNode(child.type, child, draft);
  }
}

function readText(node: NodeOf['text'], draft: Draft): void {
  const written = writtenOf(node, draft);
  put(draft, rangeOf(node), withGaps(written, draft), true);
  noteShown(written, draft.html);
}

/** Text with a gap for each reference to an invisible character. */
function withGaps(text: string, { hidden }: Draft): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (written) => {
    const isVisible = visiblePlainText(decodeString(written)).text !== '';
    countHidden(hidden, 'invisible', !isVisible);
    return isVisible ? written : gap;
  });
}

/** What may begin a tag, a comment or the like. */
const tagStart = /<[a-z/!?]/i;

/** What the parser could not make sense of, and GitHub perhaps can, which would hide a part of it. */
const looseMarks: readonly RegExp[] = [
  // GitHub has its own view of links inside links (`\0` stands where a link begins, `\uFFFC` for code or
  // HTML), and of addresses with brackets: then the title, label or description is not seen.
  /\]\([^)]*\uFFFC|\]\(\s*\S*\s+["'(]|!\[[\s\S]*\]\(\S*\)|\[[\s\S]*\0[\s\S]*\]\0/,
  // Nearly a definition, or a footnote.
  /^[ \t]*\[\^[^\]\n]*\]:|^[ \t]*\[[^\]]+\]:\s*\S*\s*(?:$|["'(])/m,
  // Nearly HTML.
  /<[!?]|<[a-z][^<>]*=/i,
  // The line below the head of a table.
  /^[ \t>]*(?=[-:| \t]*[|:])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$/m,
];

function readLines(node: Parents, draft: Draft): void {
  const range = rangeOf(node);
  const written = writtenOf(node, draft);
  const marks = marksOf(node, draft);
  const isBelowTag = hidingMark.test(marks) && unclearLine.test(written);
  const isInTable = draft.isInLines;
  draft.isInLines = true;
  draft.hasLooseTick = marks.includes('`');
  if (!isBelowTag && !looseMarks.some((pattern) => pattern.test(marks))) {
    readChildren(node, draft);
  } else if (tagStart.test(written)) {
    // It is not known where HTML ends.
    cut(draft);
  } else {
    leaveOut(draft, range, 'unclear', note('lines that may not be visible'));
  }
  if (draft.html.smaller !== undefined) {
    cut(draft);
  }
  draft.isInLines = isInTable;
}

/** The text of a node as it was written, without code, tags and escaped characters. */
function marksOf(node: Nodes, draft: Draft): string {
  if ('children' in node) {
    const inside = node.children.map((child) => marksOf(child, draft)).join('');
    return node.type === 'link' || node.type === 'linkReference' ? `\0${inside}` : inside;
  }
  return node.type === 'text' ? writtenOf(node, draft).replace(/\\./g, '') : '\uFFFC';
}

/** What would hide words, if it were no code after all. */
const hidingMark = /<[a-z/!?]|\]\(\s*\S*\s+["'(]|!\[|\]:/i;

/** A line where GitHub may begin or end a block, and our parser not. */
const unclearLine = /^[ \t>]*(?:<(?!!--[^\n]*-->[ \t]*\r?$)|\[\^|(?:[-+*]|\d{1,9}[.)])[ \t]*\r?$)/m;

/**
 * Whether code, a link or HTML may be another thing on GitHub, by what stands above it without a blank
 * line.
 *
 * @param isLoose it may be, whatever stands above
 */
function isUnclear(node: Nodes, draft: Draft, isLoose = false): boolean {
  const isHiding = hidingMark.test(writtenOf(node, draft));
  return isHiding && (isLoose || unclearLine.test(linesAbove(node, draft)));
}

function linesAbove(node: Nodes, { source }: Draft): string {
  const above = source.slice(0, source.lastIndexOf('\n', rangeOf(node)[0] - 1) + 1);
  return above.split(/\r?\n[ \t]*\r?\n/).at(-1) ?? '';
}

function readCodeSpan(node: NodeOf['inlineCode'], draft: Draft): void {
  const range = rangeOf(node);
  const isLoose = draft.hasLooseTick || writtenOf(node, draft).includes('\n');
  if (isUnclear(node, draft, isLoose)) {
    leaveOut(draft, range, 'unclear', note('code that may not be visible'));
  } else {
    showCode(range, draft);
  }
}

/** Languages that a fence may name. */
const languages: ReadonlySet<string> = new Set(
  'bash bat c clojure cmd console cpp cs csharp css csv dart diff docker dockerfile elixir env erlang fsharp go gradle graphql groovy handlebars haskell hcl html http ini java javascript js json json5 jsonc jsonl jsx kotlin kt latex less liquid log lua makefile markdown md mdx mjs nginx objc objective-c ocaml patch perl php plaintext powershell prisma properties proto protobuf ps1 py python r rb regex rs ruby rust sass scala scss sh shell solidity sql suggestion svelte swift terraform text tf toml ts tsx txt typescript vim vue xml yaml yml zig zsh'.split(
    ' ',
  ),
);

function readCode(node: NodeOf['code'], draft: Draft): void {
  const [start, end] = rangeOf(node);
  const [, fence = '', info = ''] = /^(`{3,}|~{3,})([^\r\n]*)/.exec(writtenOf(node, draft)) ?? [];
  const isBelowText = fence === '' && linesAbove(node, draft).trim() !== '';
  if (drawn.test(decodeString(info))) {
    leaveOut(draft, [start, end], 'drawing', note('a drawing'));
  } else if (isUnclear(node, draft, isBelowText)) {
    leaveOut(draft, [start, end], 'unclear', note('code that may not be visible'));
  } else {
    const [word = ''] = info.trim().split(/\s/);
    const kept = languages.has(word.toLowerCase()) ? word : '';
    const infoStart = start + fence.length;
    const infoEnd = infoStart + info.length;
    put(draft, [infoStart, infoEnd], kept);
    countHidden(draft.hidden, 'word', info.trim() !== kept);
    showCode([infoEnd, end], draft);
  }
}

/** Code behind blanks of at least 80 columns, which nobody reads. U+2800 is a blank of Braille. */
const farRight = /(?:[\p{Zs}\u2800]{0,7}\t|[\p{Zs}\u2800]{8}){10,}[\p{Zs}\t\u2800]*?\S[^\n]*/gu;

function showCode(range: Range, draft: Draft): void {
  const written = draft.source.slice(...range);
  const text = written.replace(farRight, () => {
    draft.hidden.push('unclear');
    return ` ${note('text far to the right')}`;
  });
  put(draft, range, text);
  noteShown(written, draft.html);
}

function readHtmlNode(node: NodeOf['html'], draft: Draft): void {
  const { source, html, isInLines } = draft;
  const [start] = rangeOf(node);
  const text = readHtml(node.value, isInLines, html);
  const isDrawn = node.value.includes('$$') || hidingFormulas(node.value).length > 0;
  const isOther = !isInLines && /\n[ \t]*\n/.test(node.value) && isUnclear(node, draft);
  if (text === undefined || isDrawn || isOther) {
    cut(draft);
    return;
  }
  // What the lines of a quote or an item begin with.
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const indent = source.slice(lineStart, start).replace(/[^>\s]/g, ' ');
  put(draft, rangeOf(node), withGaps(text, draft).replaceAll('\n', `\n${indent}`));
}

function readImage(node: NodeOf['image' | 'imageReference'], draft: Draft): void {
  const url = node.type === 'image' ? node.url : (draft.addresses.get(node.identifier) ?? '');
  put(draft, rangeOf(node), `![](${shortAddress(url, draft.hidden, true)})`);
  countHidden(draft.hidden, 'description', Boolean(node.alt));
  countHidden(draft.hidden, 'title', 'title' in node && Boolean(node.title));
}

function readLink(node: NodeOf['link' | 'linkReference'], draft: Draft): void {
  const [start, end] = rangeOf(node);
  const last = node.children.at(-1);
  if (draft.source[start] !== '[') {
    readBareLink(node, draft);
  } else if (last === undefined || !isSeen(node)) {
    leaveOut(draft, [start, end], 'link');
  } else {
    readChildren(node, draft);
    put(draft, [rangeOf(last)[1], end], targetOf(node, draft));
  }
}

/** What follows the text of a link. */
function targetOf(node: NodeOf['link' | 'linkReference'], draft: Draft): string {
  const url = node.type === 'link' ? node.url : draft.addresses.get(node.identifier);
  if (node.type === 'linkReference') {
    draft.addresses.delete(node.identifier);
  }
  countHidden(draft.hidden, 'title', 'title' in node && Boolean(node.title));
  if (url === undefined) {
    return ']';
  }
  const address = shortAddress(url, draft.hidden);
  const plain = `](${address})`;
  const isPlain = !/[()]/.test(address) || writtenOf(node, draft).endsWith(plain);
  return isPlain ? plain : `](<${address}>)`;
}

/** A link that is its own text. GitHub shows only a part of some, such as those of its own files. */
function readBareLink(node: NodeOf['link' | 'linkReference'], draft: Draft): void {
  const range = rangeOf(node);
  const url = textOf(node);
  const address = shortAddress(url, draft.hidden);
  if (isUnclear(node, draft)) {
    leaveOut(draft, range, 'unclear', note('a link that may not be visible'));
  } else {
    put(draft, range, address === url ? writtenOf(node, draft) : address);
    noteShown(url, draft.html);
  }
}

/** Whether readers can see what to click on. */
function isSeen(node: NodeOf['link' | 'linkReference']): boolean {
  const isImage = node.children.some(({ type }) => type.startsWith('image'));
  return isImage || showsSomething(textOf(node, { includeHtml: false }));
}

function readFootnoteCall(node: NodeOf['footnoteReference'], draft: Draft): void {
  const number = draft.footnotes.get(node.identifier);
  put(draft, rangeOf(node), number === undefined ? '' : `[^${number}]`);
}

function readFootnote(node: NodeOf['footnoteDefinition'], draft: Draft): void {
  const { footnotes, definedFootnotes } = draft;
  const [start, end] = rangeOf(node);
  const number = footnotes.get(node.identifier);
  const [first] = node.children;
  const isSecond = definedFootnotes.has(node.identifier);
  definedFootnotes.add(node.identifier);
  if (tagStart.test(writtenOf(node, draft))) {
    // HTML may reach into the footnotes behind it.
    cut(draft);
  } else if (number === undefined || first === undefined || isSecond || !draft.showsFootnotes) {
    leaveOut(draft, [start, end], 'definition');
  } else {
    const call = `[^${number}]: `;
    put(draft, [start, rangeOf(first)[0]], call);
    countHidden(draft.hidden, 'word', !draft.source.startsWith(call.trim(), start));
    readChildren(node, draft);
  }
}

/** GitHub drops what does not fit under the head. */
function readTable(node: NodeOf['table'], draft: Draft): void {
  const columns = node.children[0]?.children.length ?? 0;
  draft.isInLines = true;
  for (const row of node.children) {
    readChildren({ ...row, children: row.children.slice(0, columns) }, draft);
    for (const cell of row.children.slice(columns)) {
      leaveOut(draft, rangeOf(cell), 'word');
    }
  }
  draft.isInLines = false;
}

/** Stands for a character of a part in which no formula can begin or end. */
const hole = '\uE000';

/** Stands for what is left out, until the formulas are found: it can be what ends them. */
const gap = '\uE001';

/** A part of a formula: an escaped dollar, or a character, but not a blank line. */
const inFormula = String.raw`(?:\\\$|(?!\\\$|\n[ \t>]*\r?\n)[\s\S])`;

/**
 * Formulas by a rule that is wider than GitHub's: all between two pairs of dollars; and from a dollar
 * before which no letter or digit stands, to one behind which none stands, with no space inside of them.
 */
const formula = String.raw`\$\$[\s\S]*?\$\$|(?<![\p{L}\p{N}$])\\?\$(?![\s$])(?:${inFormula}*?(?<!\s)\$|${inFormula}*\\\$)(?![\p{L}\p{N}$])`;

/** Finds formulas that may hide something, so neither prices nor variables, which look the same drawn. */
function hidingFormulas(text: string): readonly Range[] {
  const found: Range[] = [];
  const pattern = new RegExp(formula, 'gu');
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written] = match;
    const inside = written.replace(/^\\?\$|\\?\$$/g, '');
    if (written.startsWith('$$') || /^\uE000+$/.test(inside) || /[\\%^&#~]|_\{/.test(inside)) {
      found.push([match.index, pattern.lastIndex]);
    } else {
      // Another one can begin where it ends.
      pattern.lastIndex = match.index + 1;
    }
  }
  return found;
}

/** Marks that lay out text, the numbers of items, and boxes of tasks. */
const layout = /(?<!\d)\d{1,4}[.)](?=\s)|\[[ xX]\](?=\s|$)|[\s>*_~#|:+=.()[\]!`\\-]/g;

function assemble({ source, parts, hidden }: Draft): VisibleText {
  let text = '';
  let mask = '';
  let end = 0;
  for (const { range, text: left, isText } of parts) {
    const marks = layoutOf(source.slice(end, range[0]), hidden);
    const part = left === '' ? gap : left;
    text += marks + part;
    mask += marks + (isText ? part : hole.repeat(part.length));
    end = range[1];
  }
  const marks = layoutOf(source.slice(end), hidden);
  mask += marks;
  let shown = text + marks;
  for (const [start, formulaEnd] of hidingFormulas(mask).toReversed()) {
    shown = `${shown.slice(0, start)}${note('a formula')}${shown.slice(formulaEnd)}`;
    hidden.push('drawing');
  }
  const { hidden: invisible } = visiblePlainText(source);
  return { text: visiblePlainText(shown).text, hidden: hidden.concat(invisible) };
}

function layoutOf(markup: string, hidden: HiddenKind[]): string {
  countHidden(hidden, 'word', /[\p{L}\p{N}]/u.test(markup.replace(layout, '')));
  return (markup.match(layout) ?? []).join('');
}
