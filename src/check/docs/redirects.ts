import { posix } from 'node:path';
import { decoded } from '../../text/url.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOf, type Redirect, type Site } from './site.ts';

type Redirecting = Pick<Site, 'redirects'>;

/** Browsers follow no more redirects in a row. */
export const maxRedirects = 20;

/** Each redirect with a wildcard is tried on each address. Real sites have about ten. */
const maxPatterns = 1000;

/** In characters. No page has a longer address. */
const maxLength = 300;

/** Says that a site has more redirects with a wildcard than the check follows; `undefined` if it does not. */
export function tooManyRedirects({ redirects }: Redirecting): Sentence | undefined {
  return redirects.filter(({ source }) => hasWildcard(source)).length > maxPatterns
    ? say`the settings have more than ${maxPatterns} redirects with a wildcard`
    : undefined;
}

/** The address in the source or the destination of a redirect, which can have escapes of URLs. */
export function addressIn(written: string): string {
  return addressOf(decoded(written));
}

/**
 * The redirect of an address, and the destination with what its wildcards matched. An exact redirect wins over one
 * with wildcards, and the first one over the next.
 *
 * @param path below the root, without escapes of URLs
 * @param isCertain follows only what every server follows: the exact case, and `/beta/:slug*` not for `/beta`
 */
export function redirectAt(
  path: string,
  site: Redirecting,
  isCertain = false,
): { readonly redirect: Redirect; readonly destination: string } | undefined {
  const { likely, certain, patterns } = readRedirects(site);
  const address = addressOf(path);
  const first = isCertain ? undefined : likely.get(address.toLowerCase());
  // A redirect from `/ai` to `/AI` is not for `/AI` itself.
  const isForItself = first !== undefined && addressIn(first.destination) === address;
  const redirect = first === undefined || isForItself ? certain.get(address) : first;
  if (redirect !== undefined) {
    return { redirect, destination: redirect.destination };
  }
  const withSlash = isCertain ? address : `${address}/`;
  for (const one of address.length > maxLength ? [] : patterns) {
    const found = one.pattern.exec(address) ?? one.pattern.exec(withSlash);
    if (found !== null) {
      return { redirect: one.redirect, destination: filled(one.redirect, found.slice(1)) };
    }
  }
  return undefined;
}

/** Redirects without an end. */
export interface Loop {
  /** Where the loop begins, or the last address that was tried; such as `guides` for `/guides/index`. */
  readonly address: string;
  /** Whether the redirects come back to this address; otherwise they go on to more and more addresses. */
  readonly isClosed: boolean;
}

/** The loop that the redirects from an address lead to; `undefined` if they end. */
export function loopFrom(source: string, site: Redirecting): Loop | undefined {
  const seen = new Set<string>();
  let next: string | undefined = source;
  while (next !== undefined && !isOnOtherHost(next)) {
    const address = addressIn(next);
    const isClosed = seen.has(address);
    if (isClosed || seen.size > maxRedirects) {
      return { address, isClosed };
    }
    seen.add(address);
    [next] = redirectAt(decoded(next), site, true)?.destination.split(/[?#]/u) ?? [];
  }
  return undefined;
}

function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/** Whether a redirect may leave the site. Browsers take `/\\` for `//`. */
export function isOnOtherHost(destination: string): boolean {
  return URL.canParse(destination) || /^[/\\]{2}/u.test(destination);
}

export function hasWildcard(address: string): boolean {
  return /[*:]/u.test(address);
}

/**
 * Whether a redirect only adds or drops `/index`, an extension or a slash. Nobody knows what servers make of that,
 * apart from `/guides` to `/guides/index`, which loops.
 */
function isRespelling({ source, destination }: Redirect): boolean {
  const [path = ''] = destination.split(/[?#]/u);
  const [from = '', to = ''] = [source, path].map((one) => posix.join('/', decoded(one)));
  const isKnown = to === from || to === posix.join(from, 'index');
  return !isKnown && addressIn(to) === addressIn(from);
}

/** The first redirect by address and by what is written, and those that have wildcards. */
const readRedirects = oncePer((site: Redirecting) => {
  const redirects = site.redirects.filter((one) => !isRespelling(one));
  const exact = redirects.filter(({ source }) => !hasWildcard(source)).toReversed();
  return {
    likely: new Map(exact.map((one) => [addressIn(one.source).toLowerCase(), one])),
    // Nobody knows whether `/guides/index` is followed for `/guides`.
    certain: new Map(exact.map((one) => [withoutSlashes(decoded(one.source)), one])),
    patterns: redirects
      .filter(({ source }) => hasWildcard(source))
      .slice(0, maxPatterns)
      .flatMap((redirect) => patternOf(redirect) ?? []),
  };
});

/** `:name` stands for a segment; `:name*`, `:name+` and `*` for any text. */
const wildcard = /:(\w+)[*+?]?|\*/g;

/**
 * What a segment of a source can be (https://www.mintlify.com/docs/create/redirects): a text, also with `*` behind
 * it, or a wildcard. Mintlify follows no `/setup-:name`.
 */
const segment = /^(?:[^:*]*\*?|:\w+[*+?]?)$/;

/** Each wildcard multiplies the time, and one for any text most of all; real patterns have one. */
const maxWildcards = 3;
const maxOpenWildcards = 1;

/** A pattern whose wildcards match as little as they can; `undefined` for a source that the check does not follow. */
function patternOf(redirect: Redirect) {
  const path = withoutSlashes(redirect.source);
  const wildcards = path.match(wildcard) ?? [];
  const isLimited =
    wildcards.length <= maxWildcards &&
    wildcards.filter((one) => /[*+]$/.test(one)).length <= maxOpenWildcards;
  if (!isLimited || !path.split('/').every((one) => segment.test(one))) {
    return undefined;
  }
  const pattern = path.replace(/:\w+[*+?]?|\*|[^:*]+/g, patternOfPart);
  return { redirect, pattern: new RegExp(`^${pattern}$`, 'is') };
}

/** @param part a wildcard or a text */
function patternOfPart(part: string): string {
  if (!hasWildcard(part)) {
    return decoded(part).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  }
  return /[*+]$/.test(part) ? '(.*?)' : '([^/]+?)';
}

/** Puts what each wildcard of the source matched in place of the same wildcard in the destination. */
function filled({ source, destination }: Redirect, captured: readonly string[]): string {
  const names = [...source.matchAll(wildcard)].map(([, name]) => name);
  return destination.replace(
    wildcard,
    (written, name: string | undefined) => captured[names.indexOf(name)] ?? written,
  );
}
