import { slug as githubSlug } from 'github-slugger';
import { decoded } from '../../text/url.ts';

/**
 * Decodes an anchor, and removes what Mintlify removes from a heading's id and from a link's fragment. Quotation
 * marks go as well, because Mintlify turns straight ones of a heading into curly ones. Look a fragment up among a
 * page's anchors only after cleaning it.
 */
export function cleanAnchor(anchor: string): string {
  return decoded(anchor)
    .replace(/[?,;:!'"()[\]{}\u2018\u2019\u201C\u201D]/g, '')
    .replace(
      /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu,
      '',
    );
}

/** Every anchor that a title may have, since Mintlify's components and versions differ. */
export function slugsOf(title: string): readonly string[] {
  // Mintlify encodes a heading first, so that only letters, digits, `_` and `%` of it survive.
  const words = title.toWellFormed().toLowerCase().replace(/\s+/g, '-');
  const encoded = joined(encodeURIComponent(words).replace(/[^a-zA-Z\d%_]+/g, '-'));
  const ascii = title
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z\d]+/g, '-');
  return [cleanAnchor(encoded), joined(ascii), githubSlug(title)];
}

function joined(slug: string): string {
  return slug.replace(/-{2,}/g, '-').replace(/^-|-$/g, '');
}
