import { outputJson } from '../../text/output.ts';
import type { Page } from '../page.ts';

/**
 * The size limit of the output. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/** Longer paths are useless to an agent, and one of them must not crowd out the others. */
const maxPathLength = 1000;

export interface TopPages {
  /** A compact JSON array of `path`, `human`, `ai` and `total`, in ASCII. */
  readonly json: string;
  /** How many pages did not fit. */
  readonly leftOut: number;
}

/**
 * The output `top-pages`: JSON that is also valid YAML, so that
 * `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any path. Paths are never
 * shortened, because a shorter path would be a different page. Pages that do not fit are left out.
 */
export function topPagesJson(pages: readonly Page[]): TopPages {
  const entries: string[] = [];
  let bytes = '[]'.length;
  for (const { path, human, ai, total } of pages) {
    const entry = outputJson(JSON.stringify({ path, human, ai, total }));
    if (path.length <= maxPathLength && bytes + entry.length + 1 <= maxBytes) {
      entries.push(entry);
      bytes += entry.length + 1;
    }
  }
  return { json: `[${entries.join(',')}]`, leftOut: pages.length - entries.length };
}
