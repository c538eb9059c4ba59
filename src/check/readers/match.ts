import type { PageVisitors } from '../../platform/visitors.ts';
import type { Site } from '../docs/site.ts';

/** Counts the visitors of pages of the repository from the paths that the API lists. */
export interface VisitorCounts {
  take(rows: readonly PageVisitors[]): void;
  /**
   * Visitors of each page by its path in the repository; without the pages that were not listed. Counts
   * are not additive, so of several spellings of one address the most visited one counts.
   */
  counts(): ReadonlyMap<string, number>;
}

/** @param pages paths in the repository */
export function countVisitors(
  pages: readonly string[],
  site: Pick<Site, 'root' | 'address'>,
): VisitorCounts {
  const base = plainAddress(URL.parse(site.address ?? '')?.pathname ?? '');
  const pageOf = new Map(pages.map((page) => [addressOf(page, site.root), page]));
  const counts = new Map<string, number>();
  return {
    take(rows) {
      for (const { path, total } of rows) {
        const address = plainAddress(path);
        const page = pageOf.get(address) ?? pageOf.get(withoutBase(address, base));
        if (page !== undefined) {
          counts.set(page, Math.max(total, counts.get(page) ?? 0));
        }
      }
    },
    counts: () => counts,
  };
}

/** Where the site shows a page, such as `/guides/setup`; empty for the first page of the site. */
export function addressOf(page: string, root: string): string {
  const below = root !== '' && page.startsWith(`${root}/`) ? page.slice(root.length) : `/${page}`;
  return plainAddress(below);
}

/** An address without what sites treat alike: upper case, a query, an extension, `index`, slashes at the end. */
function plainAddress(address: string): string {
  return address
    .replace(/[?#].*$/su, '')
    .replace(/\.mdx?$/iu, '')
    .replace(/(?:\/(?:index)?)+$/iu, '')
    .toLowerCase();
}

function withoutBase(address: string, base: string): string {
  return base !== '' && (address === base || address.startsWith(`${base}/`))
    ? address.slice(base.length)
    : address;
}
