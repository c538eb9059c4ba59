import { oncePer } from '../once-per.ts';
import { pageName, type Redirect, type Site } from './site.ts';

/** Finds the redirect that an address meets. */
export interface Redirects {
  /**
   * @param path below the root, without slashes at the ends
   * @returns its destination, and the redirect; `undefined` for none. Where the destination has another
   * wildcard than the source, or the source goes on behind its own one, the destination keeps its wildcard
   */
  match(path: string): { readonly destination: string; readonly redirect: Redirect } | undefined;
}

/** A source up to its first wildcard, which stands for a segment (`:name`) or for any text. */
const pattern = /^\/*([^*:]*)(:\w+[*+]?|\*)(.*)$/s;

/** Letters' case does not matter, and a trailing slash neither. The first of several redirects wins. */
export const redirectsOf = oncePer(({ redirects }: Pick<Site, 'redirects'>): Redirects => {
  const normal = (path: string) => pageName(path).toLowerCase();
  const exact = new Map<string, Redirect>();
  const patterns: { readonly redirect: Redirect; readonly parts: readonly string[] }[] = [];
  for (const redirect of redirects) {
    const parts = pattern.exec(redirect.source);
    if (parts === null) {
      exact.set(normal(redirect.source), exact.get(normal(redirect.source)) ?? redirect);
    } else {
      patterns.push({ redirect, parts });
    }
  }
  return {
    match(path) {
      const redirect = exact.get(normal(path));
      if (redirect !== undefined) {
        return { destination: redirect.destination, redirect };
      }
      for (const { redirect: one, parts } of patterns) {
        const destination = destinationOf(path, parts, one);
        if (destination !== undefined) {
          return { destination, redirect: one };
        }
      }
      return undefined;
    },
  };
});

function destinationOf(
  path: string,
  [, before = '', wildcard = '', behind = '']: readonly string[],
  { destination }: Redirect,
): string | undefined {
  const rest = path.slice(before.length);
  const isSegment = /\w$/.test(wildcard) && behind === '';
  // `/beta/:slug*` takes `/beta` as well.
  const isBelow = `${path}/`.toLowerCase().startsWith(before.toLowerCase());
  if (!isBelow || (isSegment && !/^[^/]+$/.test(rest))) {
    return undefined;
  }
  const isFilled = (written: string) => written === wildcard && behind === '';
  return destination.replace(/:\w+[*+]?|\*/g, (written) => (isFilled(written) ? rest : written));
}
