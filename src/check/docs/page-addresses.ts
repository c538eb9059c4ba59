import { isImageFile, looksLikeUrl } from './page-url.ts';

/** Names that hold an address in HTML and in components; anything in the first list is one. */
const addressNames = new Set([
  'href',
  'src',
  'srcset',
  'poster',
  'action',
  'formaction',
  'data',
  'ping',
  'xlink:href',
  'xlinkhref',
]);
const maybeAddressNames = new Set([
  'url',
  'img',
  'image',
  'icon',
  'link',
  'logo',
  'thumbnail',
  'background',
  'to',
  'cta',
  'light',
  'dark',
]);

export function isAddressName(name: string): boolean {
  return addressNames.has(name);
}

/** Whether a value is an address by the names of its attribute and its element. */
export function isAddress(tag: string, name: string, value: string): boolean {
  if (value.trim() === '') {
    return false;
  }
  if (addressNames.has(name)) {
    // What such a property of a component means is known to that component alone: it may be a name.
    return name === 'href' || /^[a-z]/.test(tag) || /[/.]/.test(value);
  }
  return maybeAddressNames.has(name) && looksLikeUrl(value);
}

/** The addresses in the value of an attribute that holds some. */
export function targetsOf(name: string, value: string): readonly string[] {
  switch (name) {
    case 'srcset':
      return candidatesOf(value);
    case 'ping':
      return value.trim().split(/\s+/);
    default:
      return [value.trim()];
  }
}

/** A candidate is an address up to a space, and a size up to a comma; an address can hold commas. */
function candidatesOf(srcset: string): readonly string[] {
  const targets: string[] = [];
  let rest = srcset.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const end = rest.search(/\s/);
    const written = end < 0 ? rest : rest.slice(0, end);
    const isBare = written.endsWith(',');
    const comma = end < 0 || isBare ? end : rest.indexOf(',', end);
    targets.push(isBare ? written.replace(/,+$/, '') : written);
    rest = comma < 0 ? '' : rest.slice(comma).replace(/^[\s,]+/, '');
  }
  return targets;
}

/** Addresses of other hosts, and files, in a value whose meaning is not known; styles load both. */
export function addressesIn(value: string): readonly string[] {
  if (dialect.test(value)) {
    return [];
  }
  const address = value.replace(/^[\p{Cc} ]+|[\t\r\n]/gu, '');
  if (/^(?:(?:https?|wss?|ftp):[/\\]*|[/\\]{2,})[^/\\\s]/i.test(address)) {
    return [value.trim()];
  }
  if (/^\/[^\s#]+$/.test(address) && isImageFile(address)) {
    return [address];
  }
  return [...value.matchAll(inStyle)].map(({ groups }) => groups?.['address'] ?? '');
}

/** The namespaces of pictures only look like addresses. */
const dialect = /^http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/x(?:html|link))$/;

const inStyle = /(?:\burl\(\s*["']?|@import\s*["'])(?<address>(?!#)[^\s"'()<>]{1,500})/gi;
