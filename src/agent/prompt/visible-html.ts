import { decodeString } from 'micromark-util-decode-string';
import { type HiddenKind, visiblePlainText } from './visible-text.ts';

/** The HTML elements that are open, as far as they matter. */
export interface OpenHtml {
  /** Those that make text smaller. */
  readonly smaller: string[];
  /** What the summary that is open has shown. */
  summary: string | undefined;
  link: { readonly address: string; hasText: boolean } | undefined;
}

export function note(what: string): string {
  return `(left out: ${what})`;
}

/** What GitHub draws instead of showing it. */
export const drawn = /\b(?:mermaid|math|geojson|topojson|stl)\b/i;

/** Comments, instructions, a doctype, tags, and text. */
const token =
  /<!--(?!-?>)(?<comment>[\s\S]*?)-->|<\?[^<>?]*\?>|<!doctype [\w ]+>|<(?<end>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:\s+[a-z_:@][\w.:@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>|(?<text>[^<]+|<(?![a-z!?/]))/gi;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Tags that tell an agent something. Other tags go, and their content stays. */
const tellingTags = wordsOf(
  'b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre s strike strong sub sup table tbody td tfoot th thead tr ul',
);

/** Elements that GitHub shows as the text that was written. */
const textualTags = wordsOf('iframe noembed noframes plaintext script style textarea title xmp');

/** Elements whose content browsers do not show as text. */
const hidingTags = wordsOf(
  'applet audio canvas datalist dialog embed frameset map math menu meter noscript object optgroup option progress rp select svg template video',
);

const smallerTags = wordsOf('rt small sub sup');

/**
 * What is left of HTML that stands in Markdown; `undefined` if it hides what follows, or is not so plain
 * that GitHub and a browser read it as we do.
 *
 * @param isInline in a line of text GitHub knows only comments without dashes in a row
 */
export function readHtml(
  value: string,
  isInline: boolean,
  open: OpenHtml,
  hidden: HiddenKind[],
): string | undefined {
  const matches = [...value.matchAll(token)];
  const unclear = isInline ? /--|-$/ : /--!>/;
  const isPlain =
    matches.map(([written]) => written).join('') === value &&
    matches.every(({ groups }) => !unclear.test(groups?.['comment'] ?? ''));
  let text = '';
  for (const { 0: written, groups = {} } of isPlain ? matches : []) {
    const part = readToken(written, groups, isInline, open, hidden);
    if (part === undefined) {
      return undefined;
    }
    text += part;
  }
  const isClosed = isInline || open.smaller.length === 0;
  return isPlain && isClosed ? text : undefined;
}

function readToken(
  written: string,
  { name, text, end = '', attributes = '' }: Readonly<Record<string, string>>,
  isInline: boolean,
  open: OpenHtml,
  hidden: HiddenKind[],
): string | undefined {
  if (text !== undefined) {
    showed(text, open);
    return text;
  }
  if (name === undefined) {
    hidden.push('html');
    return '';
  }
  return readTag({ written, name: name.toLowerCase(), end, attributes, isInline }, open, hidden);
}

/** Has to be called with what is shown, in order. */
export function showed(words: string, open: OpenHtml): void {
  const { text } = visiblePlainText(decodeString(words));
  open.summary = open.summary === undefined ? undefined : open.summary + text;
  if (open.link !== undefined && text.trim() !== '') {
    open.link.hasText = true;
  }
}

interface Tag {
  readonly written: string;
  readonly name: string;
  readonly end: string;
  readonly attributes: string;
  readonly isInline: boolean;
}

function readTag(tag: Tag, open: OpenHtml, hidden: HiddenKind[]): string | undefined {
  const { name, end, attributes } = tag;
  const isEnd = end === '/';
  if (hides(tag)) {
    return undefined;
  }
  if (smallerTags.has(name)) {
    resize(name, isEnd, open.smaller);
    return open.smaller.length > 1 ? undefined : bare(tag, hidden);
  }
  const isLink = name === 'a' || name === 'img';
  hidden.push(...(isLink && /=[\s\S]*=/.test(attributes) ? ['html' as const] : []));
  switch (name) {
    case 'summary':
      return readSummary(isEnd, open);
    case 'a':
      return isEnd ? endLink(open, hidden) : startLink(attributes, open, hidden);
    case 'img':
      return `![](${shortAddress(attributeOf('src', attributes) ?? '', hidden, true)})`;
    default:
      return bare(tag, hidden);
  }
}

function resize(name: string, isEnd: boolean, smaller: string[]): void {
  if (!isEnd) {
    smaller.push(name);
  } else if (smaller.at(-1) === name) {
    smaller.pop();
  }
}

function hides({ name, attributes, isInline }: Tag): boolean {
  return (
    hidingTags.has(name) ||
    (textualTags.has(name) && !(isInline && attributes === '')) ||
    ((name === 'pre' || name === 'code') && drawn.test(attributes))
  );
}

function bare({ written, name, end, attributes }: Tag, hidden: HiddenKind[]): string {
  const isTelling = tellingTags.has(name) || textualTags.has(name);
  if (attributes !== '' || !isTelling) {
    hidden.push('html');
  }
  return isTelling ? (attributes === '' ? written : `<${end}${name}>`) : '';
}

/** Nobody opens details with a summary in which there is nothing to see. */
function readSummary(isEnd: boolean, open: OpenHtml): string | undefined {
  const shown = open.summary;
  open.summary = isEnd ? undefined : '';
  const isBlank = isEnd && !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(shown ?? 'none');
  return isBlank ? undefined : `<${isEnd ? '/' : ''}summary>`;
}

function startLink(attributes: string, open: OpenHtml, hidden: HiddenKind[]): string {
  const url = attributeOf('href', attributes);
  open.link =
    url === undefined ? undefined : { address: shortAddress(url, hidden), hasText: false };
  return url === undefined ? '' : '[';
}

function endLink(open: OpenHtml, hidden: HiddenKind[]): string {
  const { link } = open;
  open.link = undefined;
  if (link === undefined) {
    return '';
  }
  hidden.push(...(link.hasText ? [] : ['link' as const]));
  return link.hasText ? `](${link.address})` : ']';
}

/** The first attribute of several with the same name counts. */
function attributeOf(name: string, attributes: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i');
  const [, ...values] = pattern.exec(attributes) ?? [];
  return values.find((value) => value !== undefined);
}

/** Longer addresses are not read by anybody. */
const longestAddress = 200;

/** More words than a search or the name of a campaign has. */
const mostWords = 6;

/**
 * An address that readers follow but do not see: whole, if it is short and says little; else its host
 * and path; else its host. Empty if GitHub makes no link of it.
 */
export function shortAddress(written: string, hidden: HiddenKind[], isImage = false): string {
  const url = written.trim();
  const [, place = '', rest = ''] = /^([^?#]*)([\s\S]*)$/.exec(url) ?? [];
  const [scheme = ''] = /^[a-z][a-z\d+.-]*:/i.exec(place) ?? [];
  const words = rest.replace(/%[\da-f]{2}|[_\W]/gi, ' ').match(/\p{L}{2,}/gu) ?? [];
  const isWordy = isImage || scheme === 'mailto:' || words.length > mostWords;
  const whole = isWordy || url.length > longestAddress ? place : url;
  const spaces = whole.match(/\s|%20|%0|\+/gi) ?? [];
  const isLong = whole.length > longestAddress || spaces.length > 2;
  const [host = ''] = /^(?:[a-z]+:)?(?:\/\/)?[^/]*/i.exec(whole) ?? [];
  // Browsers do not show who is named before the host.
  const short = (isLong ? host : whole).replace(/^([a-z]+:)?\/\/[^/]*@/i, '$1//');
  const isFollowed = /^(?:|https?:|mailto:)$/i.test(scheme);
  const shown = isFollowed ? short.slice(0, longestAddress) : '';
  hidden.push(...(shown === url ? [] : ['address' as const]));
  return shown.replace(/[\s<>"`\\]/g, encodeURIComponent);
}
