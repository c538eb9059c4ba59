import { aiShare, type Page } from './page.ts';
import { createRanking } from './ranking.ts';

/** What is worth telling of many pages. */
export interface Findings {
  /** Most visited first. */
  readonly top: readonly Page[];
  /** Pages that AI reads and no human does: how many, and the most visited of them. */
  readonly aiOnly: { readonly count: number; readonly top: readonly Page[] };
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
  return previous === undefined ? 0 : total - previous.total;
}

function shift({ previous, ...page }: Page): number {
  const isTelling =
    previous !== undefined && Math.min(page.total, previous.total) >= fewestForShare;
  return isTelling ? aiShare(page) - aiShare(previous) : 0;
}
