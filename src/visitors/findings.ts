import type { Page } from './export.ts';

/** The most interesting pages. */
export interface Findings {
  /** Most visited first. */
  readonly top: readonly Page[];
  /** The same, but only paths of pages that the docs have, if these are known. */
  readonly topInDocs: readonly Page[];
  /** How many visited paths are not pages of the docs; 0 if these are not known. */
  readonly otherPaths: number;
  /** Pages with AI visitors only: how many, and the most visited ones. */
  readonly aiOnly: { readonly count: number; readonly top: readonly Page[] };
  /** Pages whose visitors per day increased or decreased most, without small changes. */
  readonly gained: readonly Page[];
  readonly lost: readonly Page[];
}

/** Collects the findings page by page, in constant memory. */
interface Finder {
  take(page: Page): void;
  findings(): Findings;
}

/**
 * Smaller changes are left out. Otherwise the most visited pages, which have their own table, would
 * always come first, because even a small percentage of their visitors is a large number.
 */
export const smallestChange = { share: 0.05, visitors: 2 } as const;

interface FinderOptions {
  /** How many pages to keep of each kind. */
  readonly size: number;
  /** How many times as long the period is as the previous one. */
  readonly ratio: number;
  /** The pages of the docs; `undefined` if every path counts as one. */
  readonly docsPages: ReadonlySet<string> | undefined;
}

export function createFinder({ size, ratio, docsPages }: FinderOptions): Finder {
  const top = createRanking(size, ({ total }) => total);
  const topInDocs = createRanking(size, ({ total }) => total);
  const aiOnly = createRanking(size, ({ ai }) => ai);
  const gained = createRanking(size, (page) => gain(page, ratio));
  const lost = createRanking(size, (page) => -gain(page, ratio));
  let otherPaths = 0;
  let aiOnlyCount = 0;
  return {
    take(page) {
      for (const ranking of [top, gained, lost]) {
        ranking.offer(page);
      }
      if (docsPages?.has(page.path.replace(/\/$/, '')) ?? true) {
        topInDocs.offer(page);
      } else if (page.total > 0) {
        otherPaths += 1;
      }
      if (page.human === 0 && page.ai > 0) {
        aiOnlyCount += 1;
        aiOnly.offer(page);
      }
    },
    findings: () => ({
      top: top.list(),
      topInDocs: topInDocs.list(),
      otherPaths,
      aiOnly: { count: aiOnlyCount, top: aiOnly.list() },
      gained: gained.list(),
      lost: lost.list(),
    }),
  };
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

/** Keeps the pages with the highest scores, in constant memory. */
interface Ranking {
  /** Adds a page if its score is high enough; one with a score of 0 or less is never kept. */
  offer(page: Page): void;
  /** The highest score first; pages with the same score in the order in which they came. */
  list(): readonly Page[];
}

export function createRanking(size: number, scoreOf: (page: Page) => number): Ranking {
  const kept: { readonly page: Page; readonly score: number }[] = [];
  return {
    offer(page) {
      const score = scoreOf(page);
      const lowest = kept.length < size ? 0 : (kept.at(-1)?.score ?? 0);
      if (score <= lowest) {
        return;
      }
      const place = kept.findIndex((other) => other.score < score);
      kept.splice(place === -1 ? kept.length : place, 0, { page, score });
      kept.length = Math.min(kept.length, size);
    },
    list: () => kept.map(({ page }) => page),
  };
}
