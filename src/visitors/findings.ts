import { createPageFinder } from './docs-pages.ts';
import type { Page } from './export.ts';

/** The most interesting pages. */
export interface Findings {
  /** Most visited first. */
  readonly top: readonly Page[];
  /** The same, but only pages that the docs have, by the docs' names of them, if these are known. */
  readonly topInDocs: readonly Page[];
  /** How many visited paths are not pages of the docs; 0 if these are not known. */
  readonly otherPaths: number;
  /** Pages with AI visitors only: how many, and the most visited ones. */
  readonly aiOnly: { readonly count: number; readonly top: readonly Page[] };
  /** Pages whose visitors per day increased or decreased most, without small changes. */
  readonly gained: readonly Page[];
  readonly lost: readonly Page[];
}

/**
 * Smaller changes are left out. Otherwise the most visited pages, which have their own table, would
 * always come first, because even a small percentage of their visitors is a large number.
 */
export const smallestChange = { share: 0.05, visitors: 2 } as const;

interface FindingsOptions {
  /** How many pages to keep of each kind. */
  readonly size: number;
  /** How many times as long the period is as the previous one. */
  readonly ratio: number;
  /** The pages of the docs; `undefined` if every path counts as one. */
  readonly docsPages: ReadonlySet<string> | undefined;
}

/** Finds the most interesting of all pages. */
export function findingsOf(
  pages: readonly Page[],
  { size, ratio, docsPages }: FindingsOptions,
): Findings {
  const aiOnly = pages.filter(({ human, ai }) => human === 0 && ai > 0);
  const top = highest(pages, size, ({ total }) => total);
  return {
    top,
    ...(docsPages === undefined
      ? { topInDocs: top, otherPaths: 0 }
      : findingsInDocs(pages, docsPages, size)),
    aiOnly: { count: aiOnly.length, top: highest(aiOnly, size, ({ ai }) => ai) },
    gained: highest(pages, size, (page) => gain(page, ratio)),
    lost: highest(pages, size, (page) => -gain(page, ratio)),
  };
}

/** Counts of unique visitors cannot be added, so a page has the figures of its most visited path. */
function findingsInDocs(
  pages: readonly Page[],
  docsPages: ReadonlySet<string>,
  size: number,
): Pick<Findings, 'topInDocs' | 'otherPaths'> {
  const find = createPageFinder(docsPages, pages);
  const inDocs = new Map<string, Page>();
  let otherPaths = 0;
  for (const page of highest(pages, pages.length, ({ total }) => total)) {
    const path = find(page.path);
    if (path === undefined) {
      otherPaths += 1;
    } else if (!inDocs.has(path)) {
      inDocs.set(path, { ...page, path });
    }
  }
  return { topInDocs: [...inDocs.values()].slice(0, size), otherPaths };
}

/** By how much the visitors increased, compared with a previous period of the same length. */
function gain({ total, previous }: Page, ratio: number): number {
  if (previous === undefined) {
    return 0;
  }
  const expected = previous.total * ratio;
  const least = Math.max(smallestChange.visitors, smallestChange.share * expected);
  return Math.abs(total - expected) < least ? 0 : total - expected;
}

/**
 * The pages with the highest scores, the highest first; pages with the same score in their order. One with
 * a score of 0 or less is left out.
 */
function highest(
  pages: readonly Page[],
  size: number,
  scoreOf: (page: Page) => number,
): readonly Page[] {
  return pages
    .filter((page) => scoreOf(page) > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, size);
}
