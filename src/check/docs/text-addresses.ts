/**
 * Web addresses in any text: they end at a space, a quote or an angle bracket, but for one around the
 * name of something that readers put in, as in `https://api.<region>.example.com`.
 */
const inText =
  /\b(?:https?|wss?|ftp):[\\/]{1,4}(?:[^\s"'`<>|\\^]|(?<=[/.@-])<[\w -]{1,60}>){1,500}/giu;

/** Those that a picture loads or links to; others only name the dialect of XML. */
const inPicture =
  /(?:\bhref\s*=\s*["']?|\bsrc\s*=\s*["']?|url\(\s*["']?|@import\s*["']?)\s*(?<address>(?:https?:)?[\\/]{2}[^\s"'<>)]{1,500})/giu;

/** The web addresses in a text, without the marks that follow them in a sentence. */
export function textAddresses(text: string): readonly string[] {
  return (text.match(inText) ?? []).map((address) => address.replace(/[)\]}.,;:!?*_]+$/u, ''));
}

/** The web addresses that a picture in SVG loads or links to. */
export function pictureAddresses(text: string): readonly string[] {
  return [...text.matchAll(inPicture)].map(({ groups }) => groups?.['address'] ?? '');
}
