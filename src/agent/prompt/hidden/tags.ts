import type { HiddenKind } from './cut.ts';
import type { Tag } from './html.ts';

/**
 * What GitHub makes of HTML in Markdown: which tags it keeps, which it shows as text, and which
 * addresses it lets through. As GitHub's published html-pipeline, cmark-gfm and the list that
 * hast-util-sanitize keeps of them have it.
 */

/** Tags that stay, without their attributes; all others are dropped, and what they enclose is shown. */
const keptTags: ReadonlySet<string> = new Set(
  `a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure
  h1 h2 h3 h4 h5 h6 h7 h8 hr i img ins kbd li mark ol p picture pre q rt ruby s samp small source
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt ul var wbr`.split(
    /\s+/,
  ),
);

/** Of the attributes only these are kept: where links lead, and what images show. */
const addressAttributes: Readonly<Record<string, string>> = { a: 'href', img: 'src' };

/**
 * Elements whose content nobody sees: browsers show it only where they lack a feature, or never,
 * and some are dropped with all they hold.
 */
const hidingTags: ReadonlySet<string> = new Set(['rp', 'video', 'audio']);

/** Tags after which HTML is read by rules of its own, so that nobody can tell where they end. */
const swallowingTags: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style template textarea title xmp'.split(' '),
);

export type TagRole = 'kept' | 'dropped' | 'hiding' | 'swallowing';

export function roleOf(tag: string): TagRole {
  if (keptTags.has(tag)) {
    return 'kept';
  }
  if (hidingTags.has(tag)) {
    return 'hiding';
  }
  return swallowingTags.has(tag) ? 'swallowing' : 'dropped';
}

/** The tag with none of its attributes but an address that a reader can follow or see. */
export function withoutAttributes(tag: Tag, html: string): string {
  const written = html.slice(tag.start, tag.end);
  const name = /^<\/?[^\s/>]*/.exec(written)?.[0] ?? '';
  const address = keptAttributes(tag).map(({ start, end }) => ` ${html.slice(start, end)}`);
  // In a quote or a list, another line would need its mark.
  const kept = address.join('').replace(/\s+/g, ' ');
  return `${name}${kept}${/\s?\/>$/.exec(written)?.[0].trimEnd() ?? '>'}`;
}

/** What of a tag is taken out: attributes, or whatever else it holds. */
export function countsOfTag(tag: Tag): { readonly kind?: HiddenKind; readonly count?: number } {
  const count = tag.attributes.length - keptAttributes(tag).length;
  return count > 0 ? { kind: 'attribute', count } : {};
}

function keptAttributes({ name: tag, attributes, isEnd }: Tag) {
  const use = tag === 'img' ? 'image' : 'link';
  return attributes.filter(
    ({ name, value }) => !isEnd && name === addressAttributes[tag] && isLetThrough(value, use),
  );
}

/** Tags that GitHub shows as text, since browsers would read what follows by other rules. */
const shownTag =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s>]|\/>|$))/giu;

/** HTML in which the tags that GitHub shows as text are text; every offset stays what it was. */
export function asGitHubReads(html: string): string {
  return html.replace(shownTag, '&');
}

const linkSchemes = 'https? mailto ircs? xmpp github-windows github-mac x-github-client'
  .split(' ')
  .join('|');

/** Whether GitHub lets an address through: a relative one, or one of a scheme that it knows. */
export function isLetThrough(address: string, use: 'link' | 'image'): boolean {
  const scheme = /^[^/?#]*?:/u.exec(address.trim())?.[0];
  const allowed = use === 'link' ? linkSchemes : 'https?';
  return scheme === undefined || new RegExp(`^(?:${allowed}):$`, 'i').test(scheme);
}
