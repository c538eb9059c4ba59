import { decodeString } from 'micromark-util-decode-string';
import { countHidden, type HiddenKind, visiblePlainText } from './visible-text.ts';

/** What was left out, and the open HTML elements that decide whether text is seen. */
export interface HtmlState {
  readonly hidden: HiddenKind[];
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

/** Tags that mean something to an agent. Of all other tags, only the content is left. */
const meaningfulTags = namesOf(
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
export function readHtml(value: string, isInline: boolean, state: HtmlState): string | undefined {
  const tokens = [...value.matchAll(token)];
  const unclearComment = isInline ? /--|-$/ : /--!>/;
  if (
    tokens.map(([written]) => written).join('') !== value ||
    tokens.some(({ groups }) => unclearComment.test(groups?.['comment'] ?? ''))
  ) {
    return undefined;
  }
  const parts = tokens.map(({ groups = {} }) => readToken(groups, isInline, state));
  const isOpen = !isInline && state.smaller !== undefined;
  return isOpen || parts.includes(undefined) ? undefined : parts.join('');
}

type Groups = Readonly<Record<string, string>>;

/** A tag as it was written, and its parts: the name in lower case, and a slash as its `end`, if it is one. */
type Tag = Readonly<Record<'tag' | 'name' | 'end' | 'attributes', string>>;

function readToken(groups: Groups, isInline: boolean, state: HtmlState): string | undefined {
  const { tag, name = '', end = '', attributes = '', text } = groups;
  if (tag === undefined) {
    countHidden(state.hidden, 'html', text === undefined);
    noteShown(text ?? '', state);
    return text ?? '';
  }
  const read = { tag, name: name.toLowerCase(), end, attributes };
  return hides(read, isInline, state) ? undefined : leftOfTag(read, state);
}

/** Whether there is more to see than blanks, of which one is a Braille character. */
export function showsSomething(text: string): boolean {
  const visible = visiblePlainText(decodeString(text)).text;
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(visible);
}

/** Notes text that is shown in the open elements. To be called with all such text, in order. */
export function noteShown(text: string, { summary, link }: HtmlState): void {
  for (const element of [summary, link]) {
    if (element !== undefined) {
      element.isSeen ||= showsSomething(text);
    }
  }
}

function hides({ name, end, attributes }: Tag, isInline: boolean, state: HtmlState): boolean {
  return (
    hidingTags.has(name) ||
    // GitHub begins a block with it.
    (name === 'source' && isInline) ||
    (textualTags.has(name) && !(isInline && attributes === '')) ||
    (/^(?:pre|code)$/.test(name) && drawn.test(attributes)) ||
    (smallerTags.has(name) && isTiny(name, end, state)) ||
    // People do not open details whose summary shows nothing.
    (name === 'summary' && end !== '' && state.summary?.isSeen === false)
  );
}

/** Whether an element that makes text smaller is inside of another one. */
function isTiny(name: string, end: string, state: HtmlState): boolean {
  const outer = state.smaller;
  if (end === '') {
    state.smaller = name;
  } else if (outer === name) {
    state.smaller = undefined;
  }
  return end === '' && outer !== undefined;
}

function leftOfTag({ tag, name, end, attributes }: Tag, state: HtmlState): string {
  const { hidden } = state;
  const bare = attributes === '' ? tag : `<${end}${name}>`;
  switch (name) {
    case 'img':
    case 'a':
      // More than the address.
      countHidden(hidden, 'html', /=[\s\S]*=/.test(attributes));
      return name === 'img'
        ? `![](${shortAddress(attributeOf('src', attributes) ?? '', hidden, true)})`
        : leftOfLink(end, attributes, state);
    case 'summary':
      state.summary = end === '' ? { isSeen: false } : undefined;
      countHidden(hidden, 'html', attributes !== '');
      return bare;
    default: {
      const isMeaningful = meaningfulTags.has(name) || textualTags.has(name);
      countHidden(hidden, 'html', !isMeaningful || attributes !== '');
      return isMeaningful ? bare : '';
    }
  }
}

function leftOfLink(end: string, attributes: string, state: HtmlState): string {
  const { link, hidden } = state;
  const url = end === '' ? attributeOf('href', attributes) : undefined;
  state.link =
    url === undefined ? undefined : { address: shortAddress(url, hidden), isSeen: false };
  if (end === '' || link === undefined) {
    return url === undefined ? '' : '[';
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
