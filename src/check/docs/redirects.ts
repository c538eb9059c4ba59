import { oncePer } from '../once-per.ts';
import { addressOf, type Redirect, type Site } from './site.ts';

type Redirecting = Pick<Site, 'redirects'>;

/** Browsers follow no more. */
export const maxRedirects = 20;

/** Real patterns have one. Each one multiplies the time by the length of an address. */
const maxWildcards = 3;

/** An address that is longer is nobody's page. */
const maxLength = 300;

/**
 * Where an address is redirected, with what a pattern captured; `undefined` for nowhere. Letters' case does not
 * matter, and a trailing slash neither. The first of several redirects wins, and an exact one before a pattern.
 *
 * @param path below the root
 */
export function destinationOf(path: string, site: Redirecting): string | undefined {
  const { exact, patterns } = readRedirects(site);
  const address = addressOf(path);
  const destination = exact.get(address.toLowerCase());
  if (destination !== undefined || address.length > maxLength) {
    return destination;
  }
  for (const { redirect, pattern } of patterns) {
    // `/beta/:slug*` matches `/beta` as well.
    const found = pattern.exec(address) ?? pattern.exec(`${address}/`);
    if (found !== null) {
      return filled(redirect, found.slice(1));
    }
  }
  return undefined;
}

/** Destinations by address, and the redirects that have wildcards. */
const readRedirects = oncePer(({ redirects }: Redirecting) => {
  const isPattern = ({ source }: Redirect) => /[*:]/.test(source);
  const exact = redirects.filter((redirect) => !isPattern(redirect)).toReversed();
  return {
    exact: new Map(exact.map((one) => [addressOf(one.source).toLowerCase(), one.destination])),
    patterns: redirects
      .filter(isPattern)
      .map((redirect) => ({ redirect, pattern: patternOf(redirect.source) })),
  };
});

/** `:name` stands for a part of a segment; `:name*`, `:name+` and `*` for any text. */
const wildcard = /:(\w+)[*+?]?|\*/g;

/** Matches an address, each wildcard as short as possible. */
function patternOf(source: string): RegExp {
  const path = source.replace(/^\/+|\/+$/g, '');
  // Between two texts stands a wildcard.
  const parts = path.split(/(:\w+[*+?]?|\*)/).map((part, index) => {
    const group = /[*+]$/.test(part) ? '(.*?)' : '([^/]+?)';
    return index % 2 === 0 ? part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : group;
  });
  const isLimited = parts.length <= 2 * maxWildcards + 1;
  return isLimited ? new RegExp(`^${parts.join('')}$`, 'is') : /(?!)/;
}

/** Puts what was captured into the destination by its name; `*` is a name, too. */
function filled({ source, destination }: Redirect, captured: readonly string[]): string {
  const names = [...source.matchAll(wildcard)].map(([, name]) => name);
  return destination.replace(
    wildcard,
    (written, name: string | undefined) => captured[names.indexOf(name)] ?? written,
  );
}
