import { aiShare, type Page } from '../page.ts';
import { createRanking } from './ranking.ts';

/** The most interesting pages. */
export interface Findings {
  /** Most visited first. */
  readonly top: readonly Page[];
  /** Pages with AI visitors only: how many, and the most visited ones. */
  readonly aiOnly: { readonly count: number; readonly top: readonly Page[] };
  /** Pages whose visitors increased or decreased most, without small changes. */
  readonly gained: readonly Page[];
  readonly lost: readonly Page[];
  /** Pages whose share of AI visitors changed most, in either direction. */
  readonly shifted: readonly Page[];
}

/** Collects the findings page by page, in constant memory. */
export interface Finder {
  take(page: Page): void;
  findings(): Findings;
}

/** With fewer visitors, in either period, a share of AI visitors is mostly chance. */
export const fewestForShare = 10;

/**
 * Smaller changes are left out. Otherwise the most visited pages, which have their own table, would
 * always come first, because even a small percentage of their visitors is a large number.
 */
export const smallestChange = { share: 0.05, visitors: 2 } as const;

/** @param size how many pages to keep of each kind */
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
