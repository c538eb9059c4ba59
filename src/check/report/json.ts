import { outputJson } from '../../text/output.ts';
import { shortened } from '../../text/plain.ts';
import type { Judgement } from '../old-judgement.ts';

/**
 * The size limit of each output, so that a later step can take it as an environment variable (128 KiB on
 * Linux). All outputs of a job together may have 1 MB.
 */
const maxBytes = 96 * 1024;

/** Nobody acts on more of a quotation; the link to the file has the rest. */
const maxTextLength = 500;

/** Longer paths are useless, and one of them must not crowd out the others. */
const maxPathLength = 1000;

export interface JsonList {
  /** A compact JSON array in ASCII. */
  readonly json: string;
  /** How many entries did not fit. */
  readonly leftOut: number;
}

/** The output `findings`. What was not judged is in it too, with `not-judged` in place of a rule. */
export function findingsJson({ findings, gaps }: Pick<Judgement, 'findings' | 'gaps'>): JsonList {
  return listJson(
    [
      ...findings.map(({ rule, severity, file, line, what, was }) => ({
        rule,
        severity,
        file,
        line: line ?? null,
        what: shortened(what, maxTextLength),
        was: was === undefined ? null : shortened(was, maxTextLength),
      })),
      ...gaps.map(({ file, line, what }) => ({
        rule: 'not-judged',
        severity: 'review',
        file,
        line: line ?? null,
        what: shortened(what, maxTextLength),
        was: null,
      })),
    ],
    ({ file }) => file,
  );
}

/** The output `pages`. `visitors` is null where the number is not known. */
export function pagesJson({ pages }: Pick<Judgement, 'pages'>): JsonList {
  return listJson(
    pages.map(({ path, status, visitors }) => ({ path, status, visitors: visitors ?? null })),
    ({ path }) => path,
  );
}

/** Paths are never shortened, because a shorter path would be a different file. */
function listJson<Entry>(entries: readonly Entry[], pathOf: (entry: Entry) => string): JsonList {
  const kept: string[] = [];
  let bytes = '[]'.length;
  for (const entry of entries) {
    const json = outputJson(JSON.stringify(entry));
    if (pathOf(entry).length <= maxPathLength && bytes + json.length + 1 <= maxBytes) {
      kept.push(json);
      bytes += json.length + 1;
    }
  }
  return { json: `[${kept.join(',')}]`, leftOut: entries.length - kept.length };
}
