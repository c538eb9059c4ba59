import type { Element, ElementContent, Parents, RootContent, Text } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { type Handle, type Options, type State, toMarkdown } from 'mdast-util-to-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { CompileContext, HtmlExtension } from 'micromark-util-types';
import { parseFragment } from 'parse5';
import { removeInvisible } from '../../text/invisible.ts';

/** Text of the event, without the parts that a reader of GitHub's page cannot see. */
export interface VisibleText {
  readonly text: string;
  /** How many parts were left out. Markdown that renders to nothing does not count. */
  readonly leftOut: number;
  /** True if the text still has marks that GitHub may read differently. */
  readonly isUnclear: boolean;
}

/**
 * Finds what readers of rendered Markdown see, and returns it as Markdown. The text is rendered, read as a
 * browser reads it, cleaned with GitHub's list of elements, and written down again. A note takes the place of
 * what is drawn, is too small to read, or is shown by some browsers only.
 */
export function visibleMarkdown(markdown: string): VisibleText {
  const found: Found = {
    leftOut: 0,
    isUnclear: unclearForms.some((form) => form.test(markdown)),
    hasTagOfCode: false,
  };
  const rendered = micromark(prepared(markdown), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [html, mendedFor(found)],
  });
  const filtered = rendered.replace(textual, '&lt;');
  const tree = fromParse5(parseFragment(filtered, { scriptingEnabled: false }));
  const seen = 'children' in tree ? seenIn(tree, { size: 1, isCode: false }, found) : [];
  const mdast = toMdast(sanitize({ type: 'root', children: seen }, schema), { newlines: true });
  const text = readLines(toMarkdown(mdast, writing).trimEnd(), found);
  return { text, leftOut: found.leftOut, isUnclear: found.isUnclear };
}

/** What is found out about a text while it is read. */
interface Found {
  leftOut: number;
  isUnclear: boolean;
  /** True if an HTML tag begins code: in such code, GitHub reads Markdown and HTML. */
  hasTagOfCode: boolean;
}

const tagOfCode = /<(?:code|pre)\b/i;

/** Changes Markdown that our parser would read in another way than GitHub's parser. */
function prepared(markdown: string): string {
  return (
    markdown
      .replace(standIns, '\uFDD4')
      // On GitHub, a declaration begins with a capital letter, and `<!todo` is text.
      .replace(/<(?=![a-z])/g, angle)
      .replace(definitionAboveTable, `$1${border}`)
  );
}

/** Matches the beginning of a definition up to nine lines above the second line of a table. GitHub shows it as text. */
const definitionAboveTable =
  /^([ \t>]*)(?=\[(?!\^)[^\r\n]*\]:)(?=[^\r\n]*(?:\r\n?|\n)(?:[ \t>]*[^\s>][^\r\n]*(?:\r\n?|\n)){1,8}?(?=[^\r\n]*[|:])(?=[^\r\n]*-)[|: \t>-]*$)/gm;

/** Matches the beginning of tags that GitHub shows as text. micromark misses tags that have a line end. */
const textual =
  /<(?=\/?(?:iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp)(?:[\s>]|\/>))/gi;

const html = gfmHtml();

/** Corrects mistakes of micromark 4.0.3, restores angle brackets in HTML, and reads inline HTML as GitHub does. */
function mendedFor(found: Found): HtmlExtension {
  return {
    // Below a line of text in a list, micromark joins the lines of code and of HTML.
    enter: { codeFencedFence: keepLines, codeFlowValue: keepLines, htmlFlowData: keepLines },
    exit: {
      htmlFlowData(token) {
        const raw = (written: string) => {
          const text = withAngles(written);
          // Only for GitHub does this end a block of CDATA.
          found.isUnclear ||= text.includes(']]]>');
          found.hasTagOfCode ||= tagOfCode.test(text);
          return this.raw(text);
        };
        html.exit?.htmlFlowData?.call({ ...this, raw }, token);
      },
      htmlTextData(token) {
        const raw = (written: string) => {
          // For GitHub, a declaration is capital letters and then a blank, and `<!Important>` is text.
          const text = withAngles(written).replace(/^<(?=![A-Z]+[^A-Z\s])/, '&lt;');
          // If a comment ends with one hyphen too many, GitHub reads on as if it had not ended.
          found.hasTagOfCode ||= tagOfCode.test(text);
          found.isUnclear ||= /(?:---|\?\?|\]\]\])>$/.test(text);
          // micromark writes a tag into the description of an image, and the tag's first quote ends the description.
          return this.tag(text);
        };
        html.exit?.htmlTextData?.call({ ...this, raw }, token);
      },
    },
  };
}

function withAngles(text: string): string {
  return text.replaceAll(angle, '<');
}

function keepLines(this: CompileContext): undefined {
  this.setData('slurpAllLineEndings');
}

/** GitHub's list of elements, with only those properties that an agent needs. */
const schema: Schema = {
  ...defaultSchema,
  attributes: {
    ...{ a: ['href'], img: ['src'], ol: ['start'], input: ['type', 'checked', 'disabled'] },
    code: [['className', /^language-./]],
  },
};

const namesOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Browsers or GitHub do not show the content of these elements as text, or show it in another order. */
const hiding = namesOf(
  'applet audio bdo canvas datalist dialog embed frameset iframe map math menu meter noembed noframes noscript object optgroup option plaintext progress rp script search select style svg template textarea title video xmp',
);

/**
 * The size of text in an element, where 1 is the size around the element. Readings above characters, `rt`, are
 * meant to be small.
 */
const sizes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ sub: 0.75, sup: 0.75, rt: 0.75, small: 0.9, kbd: 0.69 },
    ...{ code: 0.85, samp: 0.85, tt: 0.85, h5: 0.875, h6: 0.85 },
  }),
);

/** Text smaller than this share of the normal size counts as hidden. */
const minSize = 0.6;

/** These elements do not end a line of text. */
const inline = namesOf(
  'a abbr b bdi br cite code del dfn em font i img input ins kbd mark q rt ruby s samp small span strike strong sub sup time tt u var wbr',
);

/** These properties do not count as hidden: the renderer sets them, or readers see what they do. */
const ownProperties = namesOf(
  'align ariaDescribedBy ariaLabel checked className dataFootnoteBackref dataFootnoteRef dataFootnotes disabled href id lang src start type',
);

/** Matches Markdown that GitHub may read in another way than our parser. */
const unclearForms = [
  // GitHub takes these for blanks in some places.
  /[\v\f]/,
  // An indented line below an empty list item and a line of blanks.
  /^\uFEFF?[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?:[-+*]|\d{1,9}[.)])[ \t]*\r?\n(?:[ \t>]*[ \t]\r?\n)+[ \t>]*(?: {4}|\t)/m,
  // An indented line below a line that underlines nothing but a definition.
  /\]:[^\n\]]*\n(?:[^\n]*\n)?[ \t>]*(?:-+|=+)[ \t]*\r?\n[ \t>]*(?: {4}|\t)/,
  // A footnote in a quote or a list.
  /^[ \t>\d.)*+-]+\[\^[^\]\s]+\]:/m,
  // Indented lines of a footnote below a line of blanks.
  /^(?=[\s\S]*?\[\^[^\][\s]+\]:)[\s\S]*?\n[ \t]+\r?\n(?: {4}|\t)/,
  // A list item that begins with a number or with an empty item.
  /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]*)*(?:(?!1[.)])\d{1,9}[.)][ \t]|(?:[-+*]|\d{1,9}[.)])[ \t]*$)/m,
  // Below a line of text, a quote that begins with a number or with an empty item.
  /^[ \t]*[^\s>][^\n]*\n[ \t]*>[ \t>]*(?:(?!1[.)])\d{1,9}[.)][ \t]|(?:[-+*]|\d{1,9}[.)])[ \t]*$)/m,
];

/** Matches what looks like a part of a tag, link, definition or fence. GitHub may take the part for the whole. */
const looseMark =
  /<[a-z/!?]|\][([]|^(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]*)*\[.*\]:|^(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]*)+(?:~~~|```)/im;

interface Inside {
  readonly size: number;
  readonly isCode: boolean;
}

function seenIn(parent: Parents, inside: Inside, found: Found): ElementContent[] {
  const seen = parent.children.flatMap((child) => {
    switch (child.type) {
      case 'text':
        found.isUnclear ||=
          (!inside.isCode || found.hasTagOfCode) && looseMark.test(unmarked(child.value));
        return [{ ...child, value: marked(child.value, inside.isCode) }];
      case 'element':
        return seenOf(child, inside, found);
      default:
        found.leftOut += 1;
        return [];
    }
  });
  return joinTexts(seen);
}

/** Joins texts that follow each other, because the writer takes quadratic time for separate texts. */
function joinTexts(nodes: readonly ElementContent[]): ElementContent[] {
  const all: ElementContent[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node.type === 'text' && last?.type === 'text') {
      last.value += node.value;
    } else {
      all.push(node);
    }
  }
  return all;
}

function seenOf(element: Element, outside: Inside, found: Found): ElementContent[] {
  const { tagName } = element;
  const size = outside.size * (sizes.get(tagName) ?? 1);
  if (size < minSize || hiding.has(tagName)) {
    found.leftOut += 1;
    return tagName === 'rp' ? [] : [note(size < minSize ? 'tiny text' : `<${tagName}>`)];
  }
  found.leftOut += hiddenInTag(element);
  found.isUnclear ||= isReadOtherwise(element);
  const isCode = outside.isCode || tagName === 'code' || tagName === 'pre';
  const children = seenIn(element, { size, isCode }, found);
  // GitHub drops tags that it does not know. Emphasis of Markdown cannot hold blocks.
  const isDropped =
    !isKnown(element) || (/^(?:b|strong|i|em)$/.test(tagName) && children.some(isBlock));
  return isDropped ? children : readElement({ ...element, children }, found);
}

function isKnown({ tagName }: Element): boolean {
  return defaultSchema.tagNames?.includes(tagName) === true;
}

/** 1 if readers do not see a part of the element's tag, such as its title; otherwise 0. */
function hiddenInTag(element: Element): number {
  const isBare = Object.entries(element.properties).every(
    ([name, value]) => value === '' || ownProperties.has(name),
  );
  return isKnown(element) && isBare ? 0 : 1;
}

/**
 * True if GitHub may read an element in another way than we do. There are three such cases:
 * - A property contains a tag. The quotes that a renderer writes decide where such a property ends.
 * - The text of a task begins like a definition. GitHub takes the task for a definition, and does not show it.
 * - A text begins with a number. Behind indented code, micromark takes an item of a numbered list for a paragraph, so
 *   that the item's number becomes a part of its text.
 */
function isReadOtherwise({ tagName, properties, children }: Element): boolean {
  const [first, ...others] = children;
  const isTask = first?.type === 'element' && first.tagName === 'input';
  const text = isTask ? others.filter((each) => !isBlock(each)).map((each) => textOf(each)) : [];
  const isNumbered =
    /^(?:p|li)$/.test(tagName) && first?.type === 'text' && /^\s*\d{1,9}[.)]\s/.test(first.value);
  return (
    isNumbered ||
    /<[a-z/]/i.test(JSON.stringify(properties)) ||
    /^\s*\[[\s\S]*\]:/.test(text.join(''))
  );
}

/** Reads an element whose children have been read already. */
function readElement(element: Element, found: Found): ElementContent[] {
  const { tagName, properties, children } = element;
  switch (tagName) {
    case 'a':
      return readLink(element, found);
    case 'img': {
      const src = shortAddress(String(properties['src'] ?? ''), found, true);
      return [{ ...element, properties: { src } }];
    }
    case 'pre':
      return readCode(element, found);
    case 'details': {
      const summary = children.find(
        (each) => each.type === 'element' && each.tagName === 'summary',
      );
      const isClosed = summary !== undefined && !isSeen(summary);
      found.leftOut += isClosed ? 1 : 0;
      return [isClosed ? note('details without a summary') : element];
    }
    default: {
      // A line of Markdown cannot hold blocks. Without line ends between them, their words would touch.
      const isLine = /^(?:h[1-6]|summary|td|th)$/.test(tagName);
      const apart = children.flatMap((each) => (isBlock(each) ? [lineEnd, each, lineEnd] : [each]));
      return [isLine ? { ...element, children: apart } : element];
    }
  }
}

const lineEnd: Element = { type: 'element', tagName: 'br', properties: {}, children: [] };

function isBlock(node: RootContent): boolean {
  return node.type === 'element' && !inline.has(node.tagName);
}

function readLink(element: Element, found: Found): ElementContent[] {
  const { properties, children } = element;
  const url = String(properties['href'] ?? '');
  const text = textOf(element);
  if (properties['dataFootnoteRef'] !== undefined) {
    return [{ type: 'text', value: `[^${text}]` }];
  }
  if (properties['dataFootnoteBackref'] !== undefined || !isSeen(element)) {
    found.leftOut += properties['dataFootnoteBackref'] === undefined ? 1 : 0;
    return [];
  }
  if (text !== url && text !== url.replace(/^(?:http:\/\/|mailto:)/, '')) {
    return [{ ...element, properties: { href: shortAddress(url, found) } }];
  }
  // The address is also the text of the link. GitHub shows only a part of addresses of its own pages.
  const isOwn = /^https?:\/\/github\.[^/]+\/[^/]+\/[^/]+\/[^/]/.test(url);
  return isOwn ? [{ type: 'text', value: shortAddress(url, found) }] : children;
}

/** GitHub draws code in these languages instead of showing it. */
const drawn = /\b(?:mermaid|math|geojson|topojson|stl)\b/i;

/**
 * The languages of code that are kept behind an opening fence. GitHub shows no word there, so other words are left out.
 */
const languages = namesOf(
  'bash bat c clojure cmd console cpp cs csharp css csv dart diff docker dockerfile elixir env erlang fsharp go gradle graphql groovy handlebars haskell hcl html http ini java javascript js json json5 jsonc jsonl jsx kotlin kt latex less liquid log lua makefile markdown md mdx mjs nginx objc objective-c ocaml patch perl php plaintext powershell prisma properties proto protobuf ps1 py python r rb regex rs ruby rust sass scala scss sh shell solidity sql suggestion svelte swift terraform text tf toml ts tsx txt typescript vim vue xml yaml yml zig zsh',
);

function readCode(element: Element, found: Found): ElementContent[] {
  const code = element.children.find((child) => child.type === 'element');
  const names = [element.properties['lang'], code?.properties['className']].flat().join(' ');
  if (drawn.test(names)) {
    found.leftOut += 1;
    return [note('a drawing')];
  }
  const language = names.trim().replace(/^language-/, '');
  const isKnown = languages.has(language.toLowerCase());
  found.leftOut += language === '' || isKnown ? 0 : 1;
  if (code !== undefined) {
    code.properties = isKnown ? { className: [`language-${language}`] } : {};
  }
  return [element];
}

function isSeen(node: ElementContent): boolean {
  return node.type === 'text'
    ? showsSomething(unmarked(node.value))
    : node.type === 'element' && (Boolean(node.properties['src']) || node.children.some(isSeen));
}

/** True if a text shows more than blanks. U+2800, a blank of Braille, counts as a blank. */
function showsSomething(text: string): boolean {
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(removeInvisible(text));
}

function note(what: string): Text {
  return { type: 'text', value: `(left out: ${what})` };
}

/** Writes text without backslashes, since an agent reads it, and nobody renders it. */
const writing: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  bullet: '-',
  rule: '-',
  handlers: {
    text: ({ value }, _parent, state) =>
      isInCell(state) ? value.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|') : value,
    break: (_node, _parent, state) => (isInCell(state) ? ' ' : '\n'),
    emphasis: around('*', '*'),
    strong: around('**', '**'),
    delete: around('~~', '~~'),
    link: around('[', ({ url }) => `](${url})`),
    image: ({ url }) => `![](${url})`,
  },
};

function isInCell({ stack }: State): boolean {
  return stack.includes('tableCell');
}

function around(
  before: string,
  after: string | ((node: { readonly url: string }) => string),
): Handle {
  const handle: Handle = (node, _parent, state, info) => {
    const end = typeof after === 'string' ? after : after(node);
    const inside = state.containerPhrasing(node, { ...info, before, after: end });
    return inside && `${before}${inside}${end}`;
  };
  // Without `peek`, the writer calls the handler twice for each node, and so for each nested node four times.
  return Object.assign(handle, { peek: () => before });
}

/**
 * These characters replace others until the Markdown is written. `blank` and `dollar` replace blanks and dollars in
 * code, where all blanks are kept and no formula can begin. `border` marks the place where two texts touch: a formula
 * can begin there, even if the other text ends with a letter. `angle` replaces an angle bracket that cannot begin a
 * declaration.
 */
const [blank, dollar, border, angle] = ['\uFDD0', '\uFDD1', '\uFDD2', '\uFDD3'];

const standIns = /[\uFDD0-\uFDD3]/g;

function marked(written: string, isCode: boolean): string {
  const text = written.replace(/[\v\f]/g, ' ');
  return isCode
    ? text.replaceAll(' ', blank).replaceAll('$', dollar)
    : text.replace(/^(?=\$)|(?<=\$)$/g, border);
}

function unmarked(text: string): string {
  const plain = text.replaceAll(border, '').replaceAll(blank, ' ').replaceAll(dollar, '$');
  return withAngles(plain);
}

/**
 * Matches a mark that changes the direction of writing, and the text behind the mark, which readers see in another
 * order.
 */
const turned = /[\u202B\u202D\u202E\u2067][^\n]*/gu;

/**
 * Leaves out what can be found only once the Markdown is written in lines: text that runs backwards, formulas,
 * invisible characters and text far to the right.
 */
function readLines(lines: string, found: Found): string {
  const leaveOut = (what: string): string => {
    found.leftOut += 1;
    return note(what).value;
  };
  const shown = lines.replace(turned, (behind) =>
    showsSomething(behind) ? leaveOut('text that runs backwards') : behind,
  );
  const plain = unmarked(
    shown.replace(formula, (written) =>
      hidingFormula.test(written) ? leaveOut('a formula') : written,
    ),
  );
  const text = removeInvisible(plain);
  found.leftOut += text === plain ? 0 : 1;
  return text.replace(/[^\n]+/g, (line) =>
    withoutFarText(line, () => ` ${leaveOut('text far to the right')}`),
  );
}

/**
 * Matches formulas as GitHub finds them. A formula begins at a dollar with no letter, digit or dollar before it
 * and no blank after it, and ends at a dollar with no blank before it and no letter, digit or dollar after it, in
 * the same paragraph. Everything between two pairs of dollars is a formula, too.
 */
const formula =
  /\$\$[\s\S]*?\$\$|(?<![\p{L}\p{N}$])\$(?![\s$])(?:[^\n]|\n(?!\n))+?(?<!\s)\$(?![\p{L}\p{N}$])/gu;

/** Matches formulas that can hide something. Prices and variables have no such marks. */
const hidingFormula = /^\$[$`]|[\\%^&#~]|_\{/;

/** Nobody reads text behind this many columns of blanks. */
const maxBlankColumns = 80;

/** Cuts a line before `maxBlankColumns` columns of blanks, if text follows the blanks. U+2800 is a blank of Braille. */
function withoutFarText(line: string, leaveOut: () => string): string {
  for (const { 0: blanks, index } of line.matchAll(/[\p{Zs}\t\u2800]{10,}/gu)) {
    const columns = blanks.replaceAll('\t', ' '.repeat(8)).length;
    if (columns >= maxBlankColumns && /\S/.test(line.slice(index + blanks.length))) {
      return line.slice(0, index) + leaveOut();
    }
  }
  return line;
}

/** People do not read an address that is longer than this. */
const maxAddressLength = 200;

/** The address of a search or a campaign has fewer words than this. */
const maxWords = 6;

/**
 * Shortens an address that readers can follow but do not see. An address that is short and has few words stays
 * whole; otherwise only its host and path stay, or only its host. The result is empty if GitHub makes no link of the
 * address.
 */
function shortAddress(written: string, found: Found, isImage = false): string {
  const url = written.trim();
  const [, place = '', rest = ''] = /^([^?#]*)([\s\S]*)$/.exec(url) ?? [];
  const [scheme = ''] = /^[a-z][a-z\d+.-]*:/i.exec(place) ?? [];
  const said = rest.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
  // Some scripts have no spaces between words.
  const words =
    said.match(/[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}\p{Script=Thai}]{2}|\p{L}{2,}/gu) ??
    [];
  const isWordy = isImage || scheme === 'mailto:' || words.length > maxWords;
  const whole = isWordy || url.length > maxAddressLength ? place : url;
  const spaces = whole.match(/\s|%20|%0|\+/gi) ?? [];
  const isLong = whole.length > maxAddressLength || spaces.length > 2;
  const [host = ''] = /^(?:[a-z]+:)?(?:\/\/)?[^/]*/i.exec(whole) ?? [];
  // Browsers do not show the user name before the host.
  const short = (isLong ? host : whole).replace(/^([a-z]+:)?\/\/[^/]*@/i, '$1//');
  const isFollowed = /^(?:|https?:|mailto:)$/i.test(scheme);
  const shown = isFollowed ? short.slice(0, maxAddressLength) : '';
  found.leftOut += shown === url ? 0 : 1;
  return shown.replace(/[\s<>"`\\]/g, encodeURIComponent);
}
