import { outputJson } from '../../text/output.ts';
import type { Page } from '../page.ts';

/**
 * Bytes that the output may take. As part of the input `variables` it must fit, with the rest of
 * that input, into one environment variable (128 KiB on Linux); a job's outputs hold 1 MB in all.
 */
const maxBytes = 48 * 1024;

/** Of longer paths an agent can make nothing, and one of them must not crowd out the rest. */
const maxPathLength = 1000;

export interface TopPages {
  /** A compact JSON array of `path`, `human`, `ai` and `total`, in ASCII. */
  readonly json: string;
  /** How many of the pages found no room. */
  readonly leftOut: number;
}

/**
 * The output `top-pages`: JSON that is a YAML flow sequence too, so that
 * `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works whatever paths contain. A
 * path is never shortened, since that would name another page: what has no room is left out.
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
