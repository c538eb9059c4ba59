import { outputJson } from '../../text/output.ts';
import { shortened } from '../../text/plain.ts';
import type { Place } from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import { plainOf } from '../sentence.ts';
import { rowsOf } from './rows.ts';

/**
 * The size limit of each output, so that a later step can take it as an environment variable (128 KiB on
 * Linux). All outputs of a job together may have 1 MB.
 */
const maxBytes = 96 * 1024;

/** Nobody acts on more of a text; the file has the rest. */
const maxTextLength = 500;

/** Longer paths are useless, and one of them must not crowd out the others. */
const maxPathLength = 1000;

export interface JsonList {
  /** A compact JSON array in ASCII. */
  readonly json: string;
  /** How many entries did not fit. */
  readonly leftOut: number;
}

/** The output `findings`: one entry for each row of the report, in its order. */
export function findingsJson(judgement: Pick<Judgement, 'findings' | 'pages'>): JsonList {
  return listJson(
    rowsOf(judgement).map(({ rule, severity, what, before, after, places }) => {
      const [place, ...others] = places;
      return {
        rule,
        severity,
        ...placeOf(place),
        what: shortened(plainOf(what), maxTextLength),
        before: before === undefined ? null : shortened(before, maxTextLength),
        after: after === undefined ? null : shortened(after, maxTextLength),
        others: others.slice(0, maxPlaces).map(placeOf),
      };
    }),
    ({ file }) => file,
  );
}

/** Of a site in many languages. */
const maxPlaces = 20;

function placeOf({ file, line }: Place) {
  return { file, line: line ?? null };
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
