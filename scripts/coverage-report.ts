import {
  type CoverageMap,
  type CoverageMapData,
  createCoverageMap,
  type FileCoverage,
} from '@vitest/istanbul-lib-coverage';
import * as v from 'valibot';

/** An `if` without `else` has a branch without a position, which becomes line 0. */
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

/** Reads the report of vitest's coverage reporter `json`: for each file, how often each part ran. */
export function readReport(text: string): CoverageMapData {
  return v.parse(reportSchema, JSON.parse(text));
}

/** Combines reports on the same sources: code counts as run if any of them ran it. */
export function mapOf(reports: readonly CoverageMapData[]): CoverageMap {
  const map = createCoverageMap();
  for (const report of reports) {
    // merge() changes the data that it is given.
    map.merge(structuredClone(report));
  }
  return map;
}

/** A part of the sources that was not run. */
interface Gap {
  readonly line: number;
  readonly text: string;
}

/**
 * The parts of a file that were not run, in order: whole lines, and on the lines that were run,
 * functions and branches.
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
    .map(([, { line }]) => ({ line, text: `function in: ${textAt(lines, line)}` }));
}

function branchGaps(file: FileCoverage, lines: readonly string[]): readonly Gap[] {
  return Object.entries(file.branchMap).flatMap(([id, { line, locations }]) =>
    locations
      .filter((_, index) => file.b[id]?.[index] === 0)
      .map(({ start, end }) => {
        if (start.line === 0) {
          return { line, text: `no else of: ${textAt(lines, line)}` };
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
