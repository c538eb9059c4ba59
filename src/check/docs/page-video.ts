import { bodyOf, type Constants, foldString } from './page-script.ts';
import { attributeOf, type Tag } from './page-tag.ts';

/** Hosts and paths that serve nothing but a player. Each is the vendor's own embed address. */
const players = [
  /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\//,
  /^https:\/\/player\.vimeo\.com\/video\//,
  /^https:\/\/(?:www\.)?loom\.com\/embed\//,
  /^https:\/\/fast\.wistia\.(?:net|com)\/embed\//,
  /^https:\/\/[a-z\d-]+\.cloudflarestream\.com\/[\da-f]+\/iframe/,
  /^https:\/\/player\.mux\.com\//,
  /^https:\/\/play\.vidyard\.com\//,
  /^https:\/\/(?:www\.)?(?:tella\.tv\/video|descript\.com\/embed|cap\.so\/embed)\//,
];

/** An `iframe` that can only be a player: docs are full of them, and they run nothing of the page's. */
export function isVideoPlayer(tag: Tag, constants: Constants): boolean {
  if (tag.name !== 'iframe' || attributeOf(tag, 'srcdoc') !== undefined) {
    return false;
  }
  if (tag.attributes.some(({ name }) => name === '')) {
    return false;
  }
  const sources = tag.attributes.filter(({ name }) => name.toLowerCase() === 'src');
  const [source] = sources;
  if (source === undefined || sources.length > 1) {
    return false;
  }
  const { expression } = source;
  const url = source.value ?? foldString(bodyOf(expression), constants) ?? '';
  return players.some((player) => player.test(url));
}
