import type { Counts } from '../platform/visitors.ts';
import { type JsonList, jsonList } from '../text/output.ts';
import type { PageFinder, SitePage } from './docs-pages.ts';
import type { Page } from './page-list.ts';

/** A page with the figures of all its addresses. */
interface FoldedPage extends Page {
  /** As in `SitePage`. */
  readonly file?: string | undefined;
}

export interface FoldedPages {
  /** One row for each page, by the page's name. */
  readonly pages: readonly FoldedPage[];
  /** The rows that are of no page of the docs; none if the docs are not checked out. */
  readonly others: readonly Page[];
}

/**
 * Makes one row of all rows that are addresses of one page. Counts of unique visitors cannot be added, so each
 * figure of a page is the highest among its addresses: at least as many visitors read the page.
 */
export function foldAddresses(rows: readonly Page[], find: PageFinder): FoldedPages {
  const pages = new Map<SitePage, FoldedPage>();
  const others: Page[] = [];
  for (const row of rows) {
    const page = find(row.path);
    if (page === undefined) {
      others.push(row);
    } else {
      const before = pages.get(page);
      pages.set(page, { ...(before ? highestOf(before, row) : row), ...page });
    }
  }
  return { pages: [...pages.values()], others };
}

/** If the previous figures of one address are unknown, those of the page are unknown, too. */
function highestOf(a: Page, b: Page): Page {
  const previous = a.previous && b.previous && highestCounts(a.previous, b.previous);
  return { ...a, ...highestCounts(a, b), previous };
}

function highestCounts(a: Counts, b: Counts): Counts {
  return {
    human: Math.max(a.human, b.human),
    ai: Math.max(a.ai, b.ai),
    total: Math.max(a.total, b.total),
  };
}

/**
 * The size limit of `top-pages`. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/**
 * The output `top-pages`: a compact JSON array of `path`, `file`, `human`, `ai` and `total` in ASCII, which
 * is also valid YAML, so that `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any
 * path. Without docs-root, the entries have no `file`.
 */
export function topPagesJson(pages: readonly FoldedPage[]): JsonList {
  return jsonList(
    // JSON has no field for what is undefined.
    pages.map(({ path, file, human, ai, total }) => ({ path, file, human, ai, total })),
    maxBytes,
  );
}
