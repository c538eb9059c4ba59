import { type JsonList, jsonList } from '../text/output.ts';
import { createPageFinder } from './docs-pages.ts';
import { highest } from './findings.ts';
import type { Page } from './page-list.ts';

/** The most visited pages for the output `top-pages`. */
export interface TopPages {
  /** Most visited first, by the docs' names of them if the pages of the docs are known. */
  readonly pages: readonly Page[];
  /** How many visited paths are not pages of the docs; 0 if these are not known. */
  readonly otherPaths: number;
}

/**
 * Counts of unique visitors cannot be added, so a page of the docs has the figures of its most visited path.
 * @param docsPages the pages of the docs; `undefined` if every path counts as one
 */
export function topPagesOf(
  pages: readonly Page[],
  size: number,
  docsPages: ReadonlySet<string> | undefined,
): TopPages {
  const visited = highest(pages, pages.length, ({ total }) => total);
  if (docsPages === undefined) {
    return { pages: visited.slice(0, size), otherPaths: 0 };
  }
  const find = createPageFinder(docsPages, pages);
  const inDocs = new Map<string, Page>();
  let otherPaths = 0;
  for (const page of visited) {
    const path = find(page.path);
    if (path === undefined) {
      otherPaths += 1;
    } else if (!inDocs.has(path)) {
      inDocs.set(path, { ...page, path });
    }
  }
  return { pages: [...inDocs.values()].slice(0, size), otherPaths };
}

/**
 * The size limit of `top-pages`. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/** Longer paths are useless to an agent, and one of them must not crowd out the others. */
const maxPathLength = 1000;

/**
 * The output `top-pages`: a compact JSON array of `path`, `human`, `ai` and `total` in ASCII, which is
 * also valid YAML, so that `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any
 * path.
 */
export function topPagesJson(pages: readonly Page[]): JsonList {
  const useful = pages.filter(({ path }) => path.length <= maxPathLength);
  const list = jsonList(
    useful.map(({ path, human, ai, total }) => ({ path, human, ai, total })),
    maxBytes,
  );
  return { ...list, leftOut: list.leftOut + pages.length - useful.length };
}
