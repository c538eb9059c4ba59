import { type JsonList, jsonList } from '../text/output.ts';
import type { FoldedPage } from './folded-pages.ts';

/**
 * The size limit of `top-pages`. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/** Longer paths are useless to an agent, and one of them must not crowd out the others. */
const maxPathLength = 1000;

/**
 * The output `top-pages`: a compact JSON array of `path`, `file`, `human`, `ai` and `total` in ASCII, which
 * is also valid YAML, so that `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any
 * path. Without docs-root, the entries have no `file`.
 */
export function topPagesJson(pages: readonly FoldedPage[]): JsonList {
  const useful = pages.filter(({ path }) => path.length <= maxPathLength);
  const list = jsonList(
    // JSON has no field for what is undefined.
    useful.map(({ path, file, human, ai, total }) => ({ path, file, human, ai, total })),
    maxBytes,
  );
  return { ...list, leftOut: list.leftOut + pages.length - useful.length };
}
