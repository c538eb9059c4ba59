/** Attributes that hold words for people; an address in them leads nowhere. */
const textAttributes = new Set([
  'alt',
  'caption',
  'children',
  'classname',
  'content',
  'description',
  'label',
  'name',
  'placeholder',
  'style',
  'summary',
  'tag',
  'tip',
  'title',
]);

export function isTextAttribute(name: string): boolean {
  return textAttributes.has(name.toLowerCase()) || name.startsWith('aria-');
}

const scripting =
  /^(?:javascript|vbscript|livescript):|^data:(?:text\/html|text\/xml|application\/(?:xhtml\+)?xml)/;

/** Whether a browser would run the address. It ignores control characters and case in a scheme. */
export function isScriptUrl(url: string): boolean {
  const start = url.slice(0, 2000).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '');
  return scripting.test(start.toLowerCase());
}

const imageFile = /\.(?:apng|avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp)(?:[?#]|$)/i;
const videoFile = /\.(?:m4v|mkv|mov|mp[34]|ogg|wav|webm)(?:[?#]|$)/i;

export function isImageFile(url: string): boolean {
  return imageFile.test(url);
}

export function isVideoFile(url: string): boolean {
  return videoFile.test(url);
}

/** Tells an address or a path from the name of an icon and other words. */
export function looksLikeUrl(value: string): boolean {
  return (
    /^(?:[a-z][a-z\d+.-]*:\S|\/|\.{1,2}\/|#.)/i.test(value) ||
    (/^\S+$/.test(value) &&
      (imageFile.test(value) ||
        videoFile.test(value) ||
        /\.(?:mdx?|html?|pdf)(?:[?#]|$)/i.test(value)))
  );
}
