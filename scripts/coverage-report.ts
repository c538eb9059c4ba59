import {
  type CoverageMap,
  type CoverageMapData,
  createCoverageMap,
  type FileCoverage,
} from '@vitest/istanbul-lib-coverage';
import * as v from 'valibot';

/** The `else` that an `if` does not have has no place; 0 stands for that. */
const start = v.object({ line: v.optional(v.number(), 0), column: v.optional(v.number(), 0) });
/** A column is null at the end of a line. */
const end = v.object({
  line: v.optional(v.number(), 0),
  column: v.nullish(v.number(), Number.POSITIVE_INFINITY),
});
const range = v.object({ start, end });
const counts = v.record(v.string(), v.number());

const reportSchema = v.record(
  v.string(),
  v.object({
    path: v.string(),
    statementMap: v.record(v.string(), range),
    fnMap: v.record(
      v.string(),
      v.object({ name: v.string(), decl: range, loc: range, line: v.number() }),
    ),
    branchMap: v.record(
      v.string(),
      v.object({ loc: range, type: v.string(), locations: v.array(range), line: v.number() }),
    ),
    s: counts,
    f: counts,
    b: v.record(v.string(), v.array(v.number())),
  }),
);

/** Reads what vitest's coverage reporter `json` wrote: how often what was run, file by file. */
export function readReport(text: string): CoverageMapData {
  return v.parse(reportSchema, JSON.parse(text));
}

/** What was run in any of the reports, which are of the same sources. */
export function mapOf(reports: readonly CoverageMapData[]): CoverageMap {
  const map = createCoverageMap();
  for (const report of reports) {
    // A map adds to what it is given.
    map.merge(structuredClone(report));
  }
  return map;
}

/** A place of the sources that was not run. */
export interface Gap {
  readonly line: number;
  readonly text: string;
}

/**
 * What was not run of a file, in order: its lines, and where a line itself was run, the functions
 * and branches on it.
 */
export function gapsOf(file: FileCoverage, source: string): readonly Gap[] {
  const lines = source.split('\n');
  const unrun = new Set(file.getUncoveredLines().map(Number));
  const parts = [...functionGaps(file, lines), ...branchGaps(file, lines)];
  return [
    ...[...unrun].map((line) => ({ line, text: textAt(lines, line) })),
    ...parts.filter(({ line }) => !unrun.has(line)),
  ].toSorted((a, b) => a.line - b.line);
}

function functionGaps(file: FileCoverage, lines: readonly string[]): readonly Gap[] {
  return Object.entries(file.fnMap)
    .filter(([id]) => file.f[id] === 0)
    .map(([, { line }]) => ({ line, text: `the function in: ${textAt(lines, line)}` }));
}

function branchGaps(file: FileCoverage, lines: readonly string[]): readonly Gap[] {
  return Object.entries(file.branchMap).flatMap(([id, { line, locations }]) =>
    locations
      .filter((_, index) => file.b[id]?.[index] === 0)
      .map(({ start, end }) => {
        if (start.line === 0) {
          return { line, text: `the way past: ${textAt(lines, line)}` };
        }
        const last = start.line === end.line ? end.column : undefined;
        const arm = lines[start.line - 1]?.slice(start.column, last) ?? '';
        return { line: start.line, text: `\`${arm}\` in: ${textAt(lines, start.line)}` };
      }),
  );
}

function textAt(lines: readonly string[], line: number): string {
  return lines[line - 1]?.trim() ?? '';
}
