import type {
  Code,
  FootnoteDefinition,
  Html,
  Image,
  ImageReference,
  InlineCode,
  Link,
  LinkReference,
  Nodes,
  Parents,
  Root,
  Table,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import { drawn, note, type OpenHtml, readHtml, shortAddress, showed } from './visible-html.ts';
import { addCounts, type HiddenKind, type VisibleText, visiblePlainText } from './visible-text.ts';

/** What becomes of a character of the source. */
const fate = { markup: 0, text: 1, code: 2, replaced: 3 } as const;

/**
 * The source, and what becomes of each of its characters. At first all are markup, of which only marks
 * are let through: a letter reaches the agent if something below says that readers see it, and not
 * otherwise.
 */
interface Draft {
  readonly source: string;
  readonly fates: Uint8Array;
  /** What stands in place of replaced characters, by the offset of the first. */
  readonly puts: Map<number, string>;
  readonly hidden: HiddenKind[];
  readonly html: OpenHtml;
  /** The addresses of definitions, each until it is used: so the text cannot grow. */
  readonly addresses: Map<string, string>;
  /** The numbers of the footnotes that the text calls, by label, and those that were found. */
  readonly footnotes: Map<string, number>;
  readonly foundFootnotes: Set<number>;
  /** Where the paragraph, heading, table or the like begins that is being read. */
  blockStart: number;
  /** Whether it has backticks that begin no code, which confuse GitHub about those that do. */
  hasLooseTick: boolean;
  /** Where begins what is not read, since HTML hides it or GitHub may read it differently. */
  unreadFrom: number | undefined;
}

/**
 * What a reader of the rendered Markdown is known to see of it, as it was written. What is drawn, or
 * may be hidden, or may be read differently by GitHub, is left out, with a note in its place.
 */
export function visibleMarkdown(source: string): VisibleText {
  // GitHub takes these for white space, our parser does not.
  if (/[\v\f]/.test(source)) {
    return { text: note('a text with form feeds'), removed: { unclear: 1 } };
  }
  const extensions = [gfm()];
  const tree = fromMarkdown(source, { extensions, mdastExtensions: [gfmFromMarkdown()] });
  const draft = openDraft(source, tree);
  readNode(tree, tree, draft);
  if (draft.unreadFrom !== undefined) {
    // GitHub shows footnotes behind the rest.
    leaveOutFootnotes(tree, draft);
    replace(draft, draft.unreadFrom, source.length, note('the rest, which may not be visible'));
  }
  leaveOutFormulas(draft);
  return assemble(draft);
}

function openDraft(source: string, tree: Root): Draft {
  const addresses = new Map<string, string>();
  const footnotes = new Map<string, number>();
  collect(tree, addresses, footnotes);
  return {
    source,
    fates: new Uint8Array(source.length),
    puts: new Map(),
    hidden: [],
    html: { smaller: [], summary: undefined, link: undefined },
    addresses,
    footnotes,
    foundFootnotes: new Set(),
    blockStart: 0,
    hasLooseTick: false,
    unreadFrom: undefined,
  };
}

/** The first of several definitions counts. A footnote that only another one calls is left out. */
function collect(
  node: Nodes,
  addresses: Map<string, string>,
  footnotes: Map<string, number> | undefined,
): void {
  if (node.type === 'definition') {
    addresses.set(node.identifier, addresses.get(node.identifier) ?? node.url);
  } else if (node.type === 'footnoteReference') {
    footnotes?.set(node.identifier, footnotes.get(node.identifier) ?? footnotes.size + 1);
  }
  const numbers = node.type === 'footnoteDefinition' ? undefined : footnotes;
  for (const child of 'children' in node ? node.children : []) {
    collect(child, addresses, numbers);
  }
}

function rangeOf({ position }: Pick<Nodes, 'position'>): readonly [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0];
}

function show(draft: Draft, start: number, end: number, as: 'text' | 'code'): void {
  draft.fates.fill(fate[as], start, end);
  showed(draft.source.slice(start, end), draft.html);
}

function replace(draft: Draft, start: number, end: number, text: string, kind?: HiddenKind): void {
  for (let at = start; at < end; at += 1) {
    draft.fates[at] = fate.replaced;
    draft.puts.delete(at);
  }
  if (start < end) {
    draft.puts.set(start, text);
  }
  draft.hidden.push(...(kind === undefined ? [] : [kind]));
}

function stopReading(draft: Draft): void {
  if (draft.unreadFrom === undefined) {
    draft.unreadFrom = draft.blockStart;
    draft.hidden.push('unclear');
  }
}

function readNode(node: Nodes, parent: Nodes, draft: Draft): void {
  if (draft.unreadFrom !== undefined) {
    return;
  }
  const [start, end] = rangeOf(node);
  switch (node.type) {
    case 'text':
      show(draft, start, end, 'text');
      break;
    case 'inlineCode':
      readCodeSpan(node, draft);
      break;
    case 'code':
      readCode(node, draft);
      break;
    case 'html':
      readHtmlNode(node, parent, draft);
      break;
    case 'image':
    case 'imageReference':
      readImage(node, draft);
      break;
    case 'link':
    case 'linkReference':
      readLink(node, draft);
      break;
    case 'definition':
      replace(draft, start, end, '', 'definition');
      break;
    case 'footnoteReference':
      replace(draft, start, end, callOf(draft.footnotes.get(node.identifier)));
      break;
    case 'footnoteDefinition':
      readFootnote(node, draft);
      break;
    case 'table':
      readTable(node, draft);
      break;
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      readLines(node, draft);
      break;
    case 'root':
    case 'blockquote':
    case 'list':
    case 'listItem':
    case 'tableRow':
    case 'emphasis':
    case 'strong':
    case 'delete':
      readChildren(node, draft);
      break;
    default:
      // Breaks and lines have nothing but marks. What is new is not let through.
      break;
  }
}

function callOf(number: number | undefined): string {
  return number === undefined ? '' : `[^${number}]`;
}

function readChildren(node: Parents, draft: Draft): void {
  for (const child of node.children) {
    readNode(child, node, draft);
  }
}

/** What the parser could not make sense of, and GitHub perhaps can, which would hide a part of it. */
const looseMarks: readonly RegExp[] = [
  // GitHub has its own view of links inside links (`\0` stands where a link begins, `\uFFFC` for code or
  // HTML), and of addresses with brackets: then nobody sees the title, label or description.
  /\]\([^)]*\uFFFC|\]\(\s*\S*\s+["'(]|!\[[\s\S]*\]\(\S*\)|\[[\s\S]*\0[\s\S]*\]\0/,
  // Nearly a definition, or a footnote.
  /^[ \t]*\[\^[^\]\n]*\]:|^[ \t]*\[[^\]]+\]:\s*\S*\s*(?:$|["'(])/m,
  // Nearly HTML.
  /<[!?]|<[a-z][^<>]*=/i,
  // The line below the head of a table.
  /^[ \t>]*(?=[-:| \t]*[|:])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$/m,
];

function readLines(node: Parents, draft: Draft): void {
  const [start, end] = rangeOf(node);
  if (node.type !== 'tableCell') {
    draft.blockStart = start;
  }
  const marks = marksOf(node, draft.source);
  draft.hasLooseTick = marks.includes('`');
  const isBelowTag = hidingCode.test(marks) && unclearLine.test(draft.source.slice(start, end));
  if (!isBelowTag && !looseMarks.some((pattern) => pattern.test(marks))) {
    readChildren(node, draft);
  } else if (/<[a-z/!?]/i.test(draft.source.slice(start, end))) {
    // Nobody knows where HTML ends.
    stopReading(draft);
  } else {
    replace(draft, start, end, note('lines that may not be visible'), 'unclear');
  }
  if (draft.html.smaller.length > 0) {
    stopReading(draft);
  }
}

/** The text of a node as it was written, without code, tags and escaped characters. */
function marksOf(node: Nodes, source: string): string {
  if ('children' in node) {
    const inside = node.children.map((child) => marksOf(child, source)).join('');
    return node.type === 'link' || node.type === 'linkReference' ? `\0${inside}` : inside;
  }
  return node.type === 'text' ? source.slice(...rangeOf(node)).replace(/\\./g, '') : '\uFFFC';
}

/** What would hide words, if it were no code after all. */
const hidingCode = /<(?:[!?]|\/?[a-z][^<>]*[\s"'=/])|\]\(\s*\S*\s+["'(]|!\[|\]:/i;

/** A line where GitHub may begin or end a block, and our parser not. */
const unclearLine = /^[ \t>]*(?:<(?!!--[^\n]*-->[ \t]*\r?$)|\[\^|(?:[-+*]|\d{1,9}[.)])[ \t]*\r?$)/m;

/** Whether code, a link or HTML may be another thing on GitHub, by what stands above it without a blank line. */
function isUnclear(start: number, written: string, { source }: Draft): boolean {
  return hidingCode.test(written) && unclearLine.test(linesAbove(start, source));
}

function linesAbove(start: number, source: string): string {
  const above = source.slice(0, source.lastIndexOf('\n', start - 1) + 1);
  return above.split(/\r?\n[ \t]*\r?\n/).at(-1) ?? '';
}

function readCodeSpan(node: InlineCode, draft: Draft): void {
  const [start, end] = rangeOf(node);
  const written = draft.source.slice(start, end);
  const isLoose = draft.hasLooseTick || written.includes('\n');
  if (isUnclear(start, written, draft) || (isLoose && hidingCode.test(written))) {
    replace(draft, start, end, note('code that may not be visible'), 'unclear');
  } else {
    show(draft, start, end, 'code');
  }
}

/** Languages that a fence may name. */
const languages: ReadonlySet<string> = new Set(
  'bash bat c clojure cmd console cpp cs csharp css csv dart diff docker dockerfile elixir env erlang fsharp go gradle graphql groovy handlebars haskell hcl html http ini java javascript js json json5 jsonc jsonl jsx kotlin kt latex less liquid log lua makefile markdown md mdx mjs nginx objc objective-c ocaml patch perl php plaintext powershell prisma properties proto protobuf ps1 py python r rb regex rs ruby rust sass scala scss sh shell solidity sql suggestion svelte swift terraform text tf toml ts tsx txt typescript vim vue xml yaml yml zig zsh'.split(
    ' ',
  ),
);

function readCode(node: Code, draft: Draft): void {
  const [start, end] = rangeOf(node);
  draft.blockStart = start;
  const [, marks = '', info = ''] =
    /^(`{3,}|~{3,})([^\r\n]*)/.exec(draft.source.slice(start, end)) ?? [];
  const isBelowText = marks === '' && linesAbove(start, draft.source).trim() !== '';
  if (drawn.test(decodeString(info))) {
    replace(draft, start, end, note('a drawing'), 'drawing');
  } else if (isUnclear(start, node.value, draft) || (isBelowText && hidingCode.test(node.value))) {
    replace(draft, start, end, note('code that may not be visible'), 'unclear');
  } else {
    show(draft, start, end, 'code');
    readLanguage(info, start + marks.length, draft);
  }
}

function readLanguage(info: string, start: number, draft: Draft): void {
  const [word = ''] = info.trim().split(/\s/);
  const kept = languages.has(word.toLowerCase()) ? word : '';
  if (info.trim() !== kept) {
    replace(draft, start, start + info.length, kept, 'word');
  }
}

function readHtmlNode(node: Html, parent: Nodes, draft: Draft): void {
  const [start, end] = rangeOf(node);
  const isInline = !['root', 'blockquote', 'listItem', 'footnoteDefinition'].includes(parent.type);
  if (!isInline) {
    draft.blockStart = start;
  }
  const text = readHtml(node.value, isInline, draft.html, draft.hidden);
  const isDrawn = findFormulas(node.value).length > 0 || node.value.includes('$$');
  if (text === undefined || isDrawn || isUnclearBlock(node.value, start, isInline, draft)) {
    stopReading(draft);
  } else {
    const indent = indentOf(start, draft.source);
    draft.hidden.push(...invisibleReferences(text));
    replace(draft, start, end, clean(text).replaceAll('\n', `\n${indent}`));
  }
}

/** Whether GitHub may begin or end a block of HTML elsewhere. */
function isUnclearBlock(html: string, start: number, isInline: boolean, draft: Draft): boolean {
  const another = isInline ? /^\s*<\/?source\b/i : /^\s*<\/?search\b/i;
  return another.test(html) || (/\n[ \t]*\n/.test(html) && isUnclear(start, html, draft));
}

/** What the lines of a quote or an item begin with. */
function indentOf(start: number, source: string): string {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  return source.slice(lineStart, start).replace(/[^>\s]/g, ' ');
}

function readImage(node: Image | ImageReference, draft: Draft): void {
  const url = node.type === 'image' ? node.url : (draft.addresses.get(node.identifier) ?? '');
  replace(draft, ...rangeOf(node), `![](${shortAddress(url, draft.hidden, true)})`);
  draft.hidden.push(...(node.alt ? ['description' as const] : []));
  draft.hidden.push(...('title' in node && node.title ? ['title' as const] : []));
}

function readLink(node: Link | LinkReference, draft: Draft): void {
  const [start, end] = rangeOf(node);
  const last = node.children.at(-1);
  if (draft.source[start] !== '[') {
    readBareLink(node, draft);
  } else if (last === undefined || !showsSomething(node)) {
    replace(draft, start, end, '', 'link');
  } else {
    readChildren(node, draft);
    replace(draft, rangeOf(last)[1], end, targetOf(node, draft));
  }
}

/** What follows the text of a link. */
function targetOf(node: Link | LinkReference, draft: Draft): string {
  const url = node.type === 'link' ? node.url : draft.addresses.get(node.identifier);
  if (node.type === 'linkReference') {
    draft.addresses.delete(node.identifier);
  } else if (node.title) {
    draft.hidden.push('title');
  }
  if (url === undefined) {
    return ']';
  }
  const address = shortAddress(url, draft.hidden);
  const plain = `](${address})`;
  const isPlain = !/[()]/.test(address) || draft.source.slice(...rangeOf(node)).endsWith(plain);
  return isPlain ? plain : `](<${address}>)`;
}

/** GitHub shows short names instead of the addresses of its own issues, commits and files. */
const ownAddress =
  /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:blob|commit|compare|discussions|issues|pull)\//i;

/** A link that is its own text. */
function readBareLink(node: Link | LinkReference, draft: Draft): void {
  const [start, end] = rangeOf(node);
  const url = textOf(node);
  const address = ownAddress.test(url) ? shortAddress(url, draft.hidden) : url;
  if (isUnclear(start, draft.source.slice(start, end), draft)) {
    replace(draft, start, end, note('a link that may not be visible'), 'unclear');
  } else if (address !== url) {
    replace(draft, start, end, address);
  } else {
    show(draft, start, end, 'code');
  }
}

function showsSomething(node: Nodes): boolean {
  if ('children' in node) {
    return node.children.some(showsSomething);
  }
  return 'value' in node && node.type !== 'html'
    ? visiblePlainText(node.value).text.trim() !== ''
    : node.type.startsWith('image');
}

function readFootnote(node: FootnoteDefinition, draft: Draft): void {
  const [start, end] = rangeOf(node);
  const number = draft.footnotes.get(node.identifier);
  const [first] = node.children;
  if (mayHoldHtml(node)) {
    // It may reach into the footnotes behind it.
    draft.blockStart = start;
    stopReading(draft);
  } else if (number === undefined || draft.foundFootnotes.has(number) || first === undefined) {
    replace(draft, start, end, '', 'definition');
  } else {
    draft.foundFootnotes.add(number);
    const isNumber = draft.source.startsWith(`[^${number}]`, start);
    replace(draft, start, rangeOf(first)[0], `[^${number}]: `, isNumber ? undefined : 'word');
    readChildren(node, draft);
  }
}

function mayHoldHtml(node: Nodes): boolean {
  return 'children' in node
    ? node.children.some(mayHoldHtml)
    : node.type === 'html' || (node.type === 'text' && /<[a-z/!?]/i.test(node.value));
}

function leaveOutFootnotes(node: Nodes, draft: Draft): void {
  if (node.type === 'footnoteDefinition') {
    replace(draft, ...rangeOf(node), '', 'definition');
  }
  for (const child of 'children' in node ? node.children : []) {
    leaveOutFootnotes(child, draft);
  }
}

/** GitHub drops what does not fit under the head. */
function readTable(node: Table, draft: Draft): void {
  const [start] = rangeOf(node);
  const columns = node.children[0]?.children.length ?? 0;
  draft.blockStart = start;
  for (const row of node.children) {
    readChildren({ ...row, children: row.children.slice(0, columns) }, draft);
    for (const cell of row.children.slice(columns)) {
      replace(draft, ...rangeOf(cell), '', 'word');
    }
  }
}

/**
 * Formulas by a rule that is wider than GitHub's: from a dollar before which no letter or digit stands,
 * to one behind which none stands, with no space inside of them; and all between two pairs of dollars.
 */
const formula =
  /\$\$[\s\S]*?\$\$|(?<![\p{L}\p{N}$])\\?\$(?![\s$])(?:(?:(?!\n[ \t>]*\r?\n)[\s\S])*?\\\$)?(?:(?!\n[ \t>]*\r?\n)[\s\S])*?(?<!\s)\$(?![\p{L}\p{N}$])/gu;

/**
 * Of these what shows its letters, drawn or not: one word, such as the name of a variable, or what has
 * a dollar inside, such as prices, without anything that TeX takes for a command.
 */
const shownFormula =
  /^\\?\$(?:(?!_\{)[^\s\\%^&#~$])*\\?\$$|^\\?\$(?:(?!_\{)[^\\%^&#~])*\$(?:(?!_\{)[^\\%^&#~])*\\?\$$/;

/** @param text with `\uFFFC` for each character of code */
function findFormulas(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(formula)].filter(
    ({ 0: found }) =>
      found.startsWith('$$') || /^\$\uFFFC+\$$/.test(found) || !shownFormula.test(found),
  );
}

function leaveOutFormulas(draft: Draft): void {
  const { source, fates } = draft;
  const isOther = (at: number) => fates[at] === fate.code || fates[at] === fate.replaced;
  const text = source.replace(/[^\n]/g, (character, at: number) =>
    isOther(at) ? '\uFFFC' : character,
  );
  for (const { 0: found, index } of findFormulas(text)) {
    replace(draft, index, index + found.length, note('a formula'), 'drawing');
  }
}

/** Marks that lay out text, the numbers of items, and boxes of tasks. */
const layout = /(?<!\d)\d{1,4}[.)](?=\s)|\[[ xX]\](?=\s|$)|[\s>*_~#|:+=.()[\]!`\\-]/g;

/** So far to the right a line of code is not read. */
const farRight = / {80,}\S[^\n]*/g;

function assemble({ source, fates, puts, hidden }: Draft): VisibleText {
  let text = '';
  for (let start = 0, end = 0; start < source.length; start = end) {
    end = start + 1;
    while (end < source.length && fates[end] === fates[start] && !puts.has(end)) {
      end += 1;
    }
    const part = source.slice(start, end);
    switch (fates[start]) {
      case fate.text:
        text += clean(part);
        hidden.push(...invisibleReferences(part));
        break;
      case fate.code:
        text += visiblePlainText(part).text.replace(farRight, ` ${note('text far to the right')}`);
        hidden.push(...(part.match(farRight) ?? []).map(() => 'unclear' as const));
        break;
      case fate.replaced:
        text += puts.get(start) ?? '';
        break;
      default:
        text += (part.match(layout) ?? []).join('');
        hidden.push(...(/[\p{L}\p{N}]/u.test(part.replace(layout, '')) ? ['word' as const] : []));
    }
  }
  const { removed } = visiblePlainText(source);
  return { text, removed: addCounts([...hidden.map((kind) => ({ [kind]: 1 })), removed]) };
}

/** Text without what it does not show, be it written as a character or as a reference. */
function clean(text: string): string {
  return visiblePlainText(text.replace(reference, (it) => (isInvisible(it) ? '' : it))).text;
}

const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

function isInvisible(written: string): boolean {
  return visiblePlainText(decodeString(written)).text === '';
}

function invisibleReferences(text: string): readonly 'invisible'[] {
  return (text.match(reference) ?? []).flatMap((it) => (isInvisible(it) ? ['invisible'] : []));
}
