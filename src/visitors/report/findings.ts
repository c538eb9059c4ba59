import { aiShare, type Page } from '../page.ts';
import { createRanking } from './ranking.ts';

/** What is worth telling of many pages. */
export interface Findings {
  /** Most visited first. */
  readonly top: readonly Page[];
  /** Pages that AI reads and no human does: how many, and the most visited of them. */
  readonly aiOnly: { readonly count: number; readonly top: readonly Page[] };
  /** Pages that hardly changed are in neither of these. */
  readonly gained: readonly Page[];
  readonly lost: readonly Page[];
  /** Pages whose share of AI visitors moved most, in either direction. */
  readonly shifted: readonly Page[];
}

/** Looks for them while the pages pass by, in constant memory. */
export interface Finder {
  take(page: Page): void;
  findings(): Findings;
}

/** Below this many visitors, before or now, a share says more of chance than of readers. */
export const fewestForShare = 10;

/**
 * A smaller change is no news: the most visited pages, which stand in a table of their own, would
 * always come first, since a small part of many visitors is more than a large part of few.
 */
export const smallestChange = { share: 0.05, visitors: 2 } as const;

/** @param size how many pages are kept of each kind */
export function createFinder(size: number): Finder {
  const top = createRanking<Page>(size, ({ total }) => total);
  const aiOnly = createRanking<Page>(size, ({ ai }) => ai);
  const gained = createRanking<Page>(size, gain);
  const lost = createRanking<Page>(size, (page) => -gain(page));
  const shifted = createRanking<Page>(size, (page) => Math.abs(shift(page)));
  let aiOnlyCount = 0;
  return {
    take(page) {
      for (const ranking of [top, gained, lost, shifted]) {
        ranking.offer(page);
      }
      if (page.human === 0 && page.ai > 0) {
        aiOnlyCount += 1;
        aiOnly.offer(page);
      }
    },
    findings: () => ({
      top: top.list(),
      aiOnly: { count: aiOnlyCount, top: aiOnly.list() },
      gained: gained.list(),
      lost: lost.list(),
      shifted: shifted.list(),
    }),
  };
}

function gain({ total, previous }: Page): number {
  if (previous === undefined) {
    return 0;
  }
  const change = total - previous.total;
  const least = Math.max(smallestChange.visitors, smallestChange.share * previous.total);
  return Math.abs(change) < least ? 0 : change;
}

function shift({ previous, ...page }: Page): number {
  const isTelling =
    previous !== undefined && Math.min(page.total, previous.total) >= fewestForShare;
  return isTelling ? aiShare(page) - aiShare(previous) : 0;
}
