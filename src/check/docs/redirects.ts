import { oncePer } from '../once-per.ts';
import { addressOf, type Redirect, type Site } from './site.ts';

/** Finds the redirect that an address meets. */
export interface Redirects {
  /**
   * @param path below the root
   * @returns its destination, with what the pattern captured, and the redirect; `undefined` for none
   */
  match(path: string): { readonly destination: string; readonly redirect: Redirect } | undefined;
}

/** Real patterns have one. Each one multiplies the time by the length of an address. */
const maxWildcards = 3;

/** An address that is longer is nobody's page. */
const maxLength = 300;

/** Letters' case does not matter, and a trailing slash neither. The first of several redirects wins. */
export const redirectsOf = oncePer(({ redirects }: Pick<Site, 'redirects'>): Redirects => {
  const exact = new Map<string, Redirect>();
  const patterns: { readonly redirect: Redirect; readonly pattern: RegExp }[] = [];
  for (const redirect of redirects) {
    const { source } = redirect;
    if (/[*:]/.test(source)) {
      patterns.push({ redirect, pattern: patternOf(source) });
    } else {
      const address = addressOf(source).toLowerCase();
      exact.set(address, exact.get(address) ?? redirect);
    }
  }
  return {
    match(path) {
      const address = addressOf(path);
      const redirect = exact.get(address.toLowerCase());
      if (redirect !== undefined) {
        return { destination: redirect.destination, redirect };
      }
      for (const { redirect: one, pattern } of address.length > maxLength ? [] : patterns) {
        // `/beta/:slug*` matches `/beta` as well.
        const found = pattern.exec(address) ?? pattern.exec(`${address}/`);
        if (found !== null) {
          return { destination: filled(one, found.slice(1)), redirect: one };
        }
      }
      return undefined;
    },
  };
});

/** `:name` stands for a part of a segment; `:name*`, `:name+` and `*` for any text. */
const wildcard = /:(\w+)([*+?]?)|\*/g;

/** Matches an address, each wildcard as short as possible. */
function patternOf(source: string): RegExp {
  const path = source.replace(/^\/+|\/+$/g, '');
  const wildcards = [...path.matchAll(wildcard)];
  const texts = path.replace(wildcard, '\0').split('\0').map(escaped);
  const groups = wildcards.map(([, , repeat = '*']) =>
    repeat === '*' || repeat === '+' ? '(.*?)' : '([^/]+?)',
  );
  return wildcards.length > maxWildcards
    ? /(?!)/
    : new RegExp(`^${texts.map((text, index) => text + (groups[index] ?? '')).join('')}$`, 'is');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Puts what was captured into the destination: by name, and for `*` in its order. */
function filled({ source, destination }: Redirect, captured: readonly string[]): string {
  const names = [...source.matchAll(wildcard)].map(([, name = '*']) => name.toLowerCase());
  const stars = captured.filter((_text, index) => names[index] === '*');
  return destination.replace(wildcard, (written, name: string | undefined) =>
    name === undefined
      ? (stars.shift() ?? written)
      : (captured[names.indexOf(name.toLowerCase())] ?? written),
  );
}
