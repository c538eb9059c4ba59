import { decodeString } from 'micromark-util-decode-string';
import { countHidden, type HiddenKind, visiblePlainText } from './visible-text.ts';

/** The open HTML elements that decide whether text is seen. */
export interface OpenHtml {
  /** The name of an element that makes text smaller. */
  smaller?: string | undefined;
  summary?: { isSeen: boolean } | undefined;
  link?: { readonly address: string; isSeen: boolean } | undefined;
}

/** Languages of code that GitHub draws instead of showing it. */
export const drawn = /\b(?:mermaid|math|geojson|topojson|stl)\b/i;

/** Comments, instructions, a doctype, tags, and text. */
const token =
  /<!--(?!-?>)(?<comment>[\s\S]*?)-->|<\?[^<>?]*\?>|<!doctype [\w ]+>|(?<tag><(?<end>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:\s+[a-z_:@][\w.:@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>)|(?<text>[^<]+|<(?![a-z!?/]))/gi;

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Tags that tell an agent something. Other tags go, and their content stays. */
const tellingTags = namesOf(
  'b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre s strike strong sub sup table tbody td tfoot th thead tr ul',
);

/** Elements that GitHub shows as the text that was written. */
const textualTags = namesOf('iframe noembed noframes plaintext script style textarea title xmp');

/** Elements whose content browsers do not show as text. */
const hidingTags = namesOf(
  'applet audio canvas datalist dialog embed frameset map math menu meter noscript object optgroup option progress rp search select svg template video',
);

const smallerTags = namesOf('rt small sub sup');

/**
 * What is left of HTML in Markdown; `undefined` if it hides what follows, or is not so plain that GitHub
 * and a browser read it as we do.
 *
 * @param isInline in a line of text GitHub knows only comments without dashes in a row
 */
export function readHtml(
  value: string,
  isInline: boolean,
  open: OpenHtml,
  hidden: HiddenKind[],
): string | undefined {
  const tokens = [...value.matchAll(token)];
  const unclearComment = isInline ? /--|-$/ : /--!>/;
  if (
    tokens.map(([written]) => written).join('') !== value ||
    tokens.some(({ groups }) => unclearComment.test(groups?.['comment'] ?? ''))
  ) {
    return undefined;
  }
  const parts = tokens.map(({ groups = {} }) => readToken(groups, isInline, open, hidden));
  const isOpen = !isInline && open.smaller !== undefined;
  return isOpen || parts.includes(undefined) ? undefined : parts.join('');
}

type Groups = Readonly<Record<string, string>>;

function readToken(
  groups: Groups,
  isInline: boolean,
  open: OpenHtml,
  hidden: HiddenKind[],
): string | undefined {
  const { name, text } = groups;
  if (name !== undefined) {
    const tag = name.toLowerCase();
    return hides(tag, groups, isInline, open) ? undefined : leftOfTag(tag, groups, open, hidden);
  }
  countHidden(hidden, 'html', text === undefined);
  noteShown(text ?? '', open);
  return text ?? '';
}

/** Whether there is more to see than blanks, of which one is a Braille character. */
export function showsSomething(text: string): boolean {
  const visible = visiblePlainText(decodeString(text)).text;
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(visible);
}

/** Has to be called with all text that is shown, in order. */
export function noteShown(text: string, { summary, link }: OpenHtml): void {
  for (const element of [summary, link]) {
    if (element !== undefined) {
      element.isSeen ||= showsSomething(text);
    }
  }
}

function hides(
  name: string,
  { end = '', attributes = '' }: Groups,
  isInline: boolean,
  open: OpenHtml,
): boolean {
  return (
    hidingTags.has(name) ||
    // GitHub begins a block with it.
    (name === 'source' && isInline) ||
    (textualTags.has(name) && !(isInline && attributes === '')) ||
    (/^(?:pre|code)$/.test(name) && drawn.test(attributes)) ||
    (smallerTags.has(name) && isTiny(name, end, open)) ||
    // People do not open details whose summary shows nothing.
    (name === 'summary' && end !== '' && open.summary?.isSeen === false)
  );
}

/** Whether an element that makes text smaller is inside of another one. */
function isTiny(name: string, end: string, open: OpenHtml): boolean {
  const outer = open.smaller;
  if (end === '') {
    open.smaller = name;
  } else if (outer === name) {
    open.smaller = undefined;
  }
  return end === '' && outer !== undefined;
}

function leftOfTag(name: string, groups: Groups, open: OpenHtml, hidden: HiddenKind[]): string {
  const { end = '', attributes = '' } = groups;
  if (name === 'a' || name === 'img') {
    // More than the address.
    countHidden(hidden, 'html', /=[\s\S]*=/.test(attributes));
  }
  switch (name) {
    case 'img':
      return `![](${shortAddress(attributeOf('src', attributes) ?? '', hidden, true)})`;
    case 'a':
      return end === '' ? startLink(attributes, open, hidden) : endLink(open, hidden);
    case 'summary':
      open.summary = end === '' ? { isSeen: false } : undefined;
      return `<${end}summary>`;
    default:
      return bareTag(name, groups, hidden);
  }
}

function bareTag(
  name: string,
  { tag = '', end = '', attributes = '' }: Groups,
  hidden: HiddenKind[],
): string {
  const isTelling = tellingTags.has(name) || textualTags.has(name);
  countHidden(hidden, 'html', !isTelling || attributes !== '');
  const bare = attributes === '' ? tag : `<${end}${name}>`;
  return isTelling ? bare : '';
}

function startLink(attributes: string, open: OpenHtml, hidden: HiddenKind[]): string {
  const url = attributeOf('href', attributes);
  open.link = url === undefined ? undefined : { address: shortAddress(url, hidden), isSeen: false };
  return url === undefined ? '' : '[';
}

function endLink(open: OpenHtml, hidden: HiddenKind[]): string {
  const { link } = open;
  open.link = undefined;
  if (link === undefined) {
    return '';
  }
  countHidden(hidden, 'link', !link.isSeen);
  return link.isSeen ? `](${link.address})` : ']';
}

/** The first attribute of several with the same name counts. */
function attributeOf(name: string, attributes: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i');
  const [, ...values] = pattern.exec(attributes) ?? [];
  return values.find((value) => value !== undefined);
}

/** People do not read longer addresses. */
const maxAddressLength = 200;

/** More words than a search or the name of a campaign has. */
const maxWords = 6;

/**
 * An address that readers follow but do not see: whole, if it is short and says little; else its host
 * and path; else its host. Empty if GitHub makes no link of it.
 */
export function shortAddress(written: string, hidden: HiddenKind[], isImage = false): string {
  const url = written.trim();
  const [, place = '', rest = ''] = /^([^?#]*)([\s\S]*)$/.exec(url) ?? [];
  const [scheme = ''] = /^[a-z][a-z\d+.-]*:/i.exec(place) ?? [];
  const words = rest.replace(/%[\da-f]{2}|[_\W]/gi, ' ').match(/\p{L}{2,}/gu) ?? [];
  const isWordy = isImage || scheme === 'mailto:' || words.length > maxWords;
  const whole = isWordy || url.length > maxAddressLength ? place : url;
  const spaces = whole.match(/\s|%20|%0|\+/gi) ?? [];
  const isLong = whole.length > maxAddressLength || spaces.length > 2;
  const [host = ''] = /^(?:[a-z]+:)?(?:\/\/)?[^/]*/i.exec(whole) ?? [];
  // Browsers do not show the user name before the host.
  const short = (isLong ? host : whole).replace(/^([a-z]+:)?\/\/[^/]*@/i, '$1//');
  const isFollowed = /^(?:|https?:|mailto:)$/i.test(scheme);
  const shown = isFollowed ? short.slice(0, maxAddressLength) : '';
  countHidden(hidden, 'address', shown !== url);
  return shown.replace(/[\s<>"`\\]/g, encodeURIComponent);
}
