import type { Redirect, Site } from './site.ts';
import { pageName } from './site.ts';

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
  /** Of its wildcards. */
  readonly names: readonly string[];
  /** What every path begins with that it matches, in lower case. */
  readonly prefix: string;
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `:name` stands for a part of a segment; `:name*`, `:name+` and `*` for any text. */
  | { readonly kind: 'one' | 'any'; readonly name: string };

/** Patterns with more wildcards exist nowhere, and each one costs stack. */
const maxWildcards = 8;

/** Takes a second or two. After that, patterns match nothing, so that more links lead nowhere. */
const maxSteps = 20_000_000;

interface Budget {
  stepsLeft: number;
}

type Captured = readonly string[] | undefined;

/** An address that is longer is nobody's page. */
const maxLength = 1_000;

/** Letters' case does not matter, and a trailing slash neither. The first of several redirects wins. */
export function createRedirects(site: Pick<Site, 'redirects'>): Redirects {
  const exact = new Map<string, Redirect>();
  const patterns: Pattern[] = [];
  for (const redirect of site.redirects) {
    const { source } = redirect;
    if (/[*:]/.test(source)) patterns.push(patternOf(redirect));
    else if (!exact.has(normal(source))) exact.set(normal(source), redirect);
  }
  const usable = patterns.filter(({ names }) => names.length <= maxWildcards);
  const budget: Budget = { stepsLeft: maxSteps };

  return {
    match(path) {
      const redirect = exact.get(normal(path));
      if (redirect !== undefined) return { destination: redirect.destination, redirect };
      return path.length > maxLength ? undefined : matchPatterns(usable, path, budget);
    },
  };
}

function matchPatterns(
  patterns: readonly Pattern[],
  path: string,
  budget: Budget,
): ReturnType<Redirects['match']> {
  const lowerCase = `${path.toLowerCase()}/`;
  for (const { redirect, prefix, parts, names } of patterns) {
    if (budget.stepsLeft <= 0) return undefined;
    if (!lowerCase.startsWith(prefix)) continue;
    // `/beta/:slug*` matches `/beta` as well.
    const captured = capture(parts, path, budget) ?? capture(parts, `${path}/`, budget);
    if (captured === undefined) continue;
    return { destination: fill(redirect.destination, names, captured), redirect };
  }
  return undefined;
}

function normal(path: string): string {
  return pageName(path).toLowerCase();
}

function patternOf(redirect: Redirect): Pattern {
  const parts = partsOf(redirect.source);
  const [first] = parts;
  const prefix = first?.kind === 'text' ? first.text : '';
  const names = parts.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
  return { redirect, parts, names, prefix };
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

function capture(parts: readonly Part[], path: string, budget: Budget): Captured {
  budget.stepsLeft -= path.length;
  return new Matcher(parts, path, budget).capture();
}

/**
 * Matches a path, each wildcard as short as possible. Takes time in proportion to the path's length,
 * and counts its steps.
 */
class Matcher {
  private readonly parts: readonly Part[];
  private readonly path: string;
  private readonly wanted: string;
  private readonly budget: Budget;
  /** Where a wildcard that ends at the latest there could not match: nor can it match from later on. */
  private readonly failed = new Map<number, number>();

  constructor(parts: readonly Part[], path: string, budget: Budget) {
    this.parts = parts;
    this.path = path;
    this.wanted = path.toLowerCase();
    this.budget = budget;
  }

  /** What each wildcard stands for; `undefined` where the path does not match. */
  capture(index = 0, start = 0): Captured {
    const part = this.parts[index];
    if (part === undefined) return start === this.path.length ? [] : undefined;
    if (part.kind !== 'text') return this.captureAny(part.kind, index, start);
    const isHere = this.wanted.startsWith(part.text, start);
    return isHere ? this.capture(index + 1, start + part.text.length) : undefined;
  }

  private captureAny(kind: 'one' | 'any', index: number, start: number): Captured {
    const { path } = this;
    const slash = kind === 'one' ? path.indexOf('/', start) : -1;
    const last = slash === -1 ? path.length : slash;
    const key = index * (path.length + 1) + last;
    if (start >= (this.failed.get(key) ?? Number.POSITIVE_INFINITY)) return undefined;
    for (let end = kind === 'one' ? start + 1 : start; end <= last; end += 1) {
      this.budget.stepsLeft -= 1;
      const rest = this.capture(index + 1, end);
      if (rest !== undefined) return [path.slice(start, end), ...rest];
    }
    this.failed.set(key, start);
    return undefined;
  }
}

/** Puts what was captured into the destination: by name, and for `*` in its order. */
function fill(destination: string, names: readonly string[], captured: readonly string[]): string {
  const stars = captured.filter((_text, index) => names[index] === '*');
  return destination.replace(wildcard, (written, name: string | undefined) => {
    if (name === undefined) return stars.shift() ?? written;
    return captured[names.indexOf(name.toLowerCase())] ?? written;
  });
}
