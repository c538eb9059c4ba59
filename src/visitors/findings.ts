import type { Page } from './page-list.ts';

/** The most interesting pages of the summary, the highest figure first. */
export interface Findings {
  readonly top: readonly Page[];
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

/** GitHub shows a longer table, but people do not read it. The file has every page. */
const maxShown = 25;

/**
 * @param top how many pages to keep of each kind, if the summary can show as many
 * @param ratio how many times as long the period is as the previous one
 */
export function findingsOf(pages: readonly Page[], top: number, ratio: number): Findings {
  const size = Math.min(top, maxShown);
  const aiOnly = pages.filter(({ human, ai }) => human === 0 && ai > 0);
  return {
    top: highest(pages, size, ({ total }) => total),
    aiOnly: { count: aiOnly.length, top: highest(aiOnly, size, ({ ai }) => ai) },
    gained: highest(pages, size, (page) => gain(page, ratio)),
    lost: highest(pages, size, (page) => -gain(page, ratio)),
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

/**
 * The pages with the highest scores, the highest first; pages with the same score in their order. One with
 * a score of 0 or less is left out.
 */
export function highest<P extends Page>(
  pages: readonly P[],
  size: number,
  scoreOf: (page: P) => number,
): readonly P[] {
  return pages
    .filter((page) => scoreOf(page) > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, size);
}
