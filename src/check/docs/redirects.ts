import { pageName } from './navigation.ts';
import type { Redirect, Site } from './site.ts';

/** Finds the redirect that an address meets. */
export interface Redirects {
  /**
   * @param path below the root, without slashes at the ends
   * @returns its destination, with what the pattern captured, and the redirect; `undefined` for none
   */
  match(path: string): { readonly destination: string; readonly redirect: Redirect } | undefined;
}

interface Pattern {
  readonly redirect: Redirect;
  readonly parts: readonly Part[];
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `:name` stands for a part of a segment; `:name*`, `:name+` and `*` for any text. */
  | { readonly kind: 'one' | 'any'; readonly name: string };

/** Patterns with more wildcards cost much and exist nowhere. */
const maxWildcards = 8;

/** An address that is longer is nobody's page. */
const maxLength = 1_000;

/** Letters' case does not matter, and a trailing slash neither. The first of several redirects wins. */
export function createRedirects(site: Pick<Site, 'redirects'>): Redirects {
  const exact = new Map<string, Redirect>();
  const patterns: Pattern[] = [];
  for (const redirect of site.redirects) {
    const { source } = redirect;
    // Browsers do not send an anchor, and Mintlify does not match a query.
    if (/[?#]/.test(source)) continue;
    if (/[*:]/.test(source)) patterns.push({ redirect, parts: partsOf(source) });
    else if (!exact.has(normal(source))) exact.set(normal(source), redirect);
  }
  const usable = patterns.filter(({ parts }) => namesOf(parts).length <= maxWildcards);

  return {
    match(path) {
      const wanted = normal(path);
      const redirect = exact.get(wanted);
      if (redirect !== undefined) return { destination: redirect.destination, redirect };
      if (path.length > maxLength) return undefined;
      for (const pattern of usable) {
        // `/beta/:slug*` matches `/beta` as well.
        const captured = capture(pattern.parts, path) ?? capture(pattern.parts, `${path}/`);
        if (captured === undefined) continue;
        const names = namesOf(pattern.parts);
        const destination = fill(pattern.redirect.destination, names, captured);
        return { destination, redirect: pattern.redirect };
      }
      return undefined;
    },
  };
}

function normal(path: string): string {
  return pageName(path).toLowerCase();
}

const wildcard = /:(?<name>\w+)(?<repeat>[*+?]?)|\*/g;

function partsOf(source: string): readonly Part[] {
  const text = source.replace(/^\/+|\/+$/g, '').toLowerCase();
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(wildcard)) {
    parts.push({ kind: 'text', text: text.slice(end, match.index) });
    const { name = '*', repeat = '*' } = match.groups ?? {};
    parts.push({ kind: repeat === '*' || repeat === '+' ? 'any' : 'one', name });
    end = match.index + match[0].length;
  }
  return [...parts, { kind: 'text', text: text.slice(end) }];
}

function namesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
}

/** What each wildcard stands for in the path; `undefined` where the path does not match. */
function capture(parts: readonly Part[], path: string): readonly string[] | undefined {
  const wanted = path.toLowerCase();
  /** Dead ends, so that each is entered only once. */
  const failed = new Set<number>();

  function from(index: number, start: number): readonly string[] | undefined {
    const part = parts[index];
    if (part === undefined) return start === path.length ? [] : undefined;
    const key = index * (path.length + 1) + start;
    if (failed.has(key)) return undefined;
    const found = part.kind === 'text' ? text(part.text, index, start) : any(part, index, start);
    if (found === undefined) failed.add(key);
    return found;
  }

  function text(expected: string, index: number, start: number): readonly string[] | undefined {
    return wanted.startsWith(expected, start)
      ? from(index + 1, start + expected.length)
      : undefined;
  }

  function any({ kind }: Part, index: number, start: number): readonly string[] | undefined {
    const slash = kind === 'one' ? path.indexOf('/', start) : -1;
    const shortest = kind === 'one' ? start + 1 : start;
    for (let end = slash === -1 ? path.length : slash; end >= shortest; end -= 1) {
      const rest = from(index + 1, end);
      if (rest !== undefined) return [path.slice(start, end), ...rest];
    }
    return undefined;
  }

  return from(0, 0);
}

/** Puts what was captured into the destination: by name, and for `*` in its order. */
function fill(destination: string, names: readonly string[], captured: readonly string[]): string {
  const stars = captured.filter((_text, index) => names[index] === '*');
  return destination.replace(wildcard, (written, name: string | undefined) => {
    if (name === undefined) return stars.shift() ?? written;
    return captured[names.indexOf(name.toLowerCase())] ?? written;
  });
}
