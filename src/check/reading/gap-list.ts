import type { Gap } from '../old-finding.ts';

/** Collects what could not be judged. */
export interface GapList {
  readonly gaps: readonly Gap[];
  /** @param what a main clause; see `Gap` */
  add(file: string, what: string, line?: number): void;
  /** Adds a gap for each file, or one for all with the same problem if there are many. */
  addAll(problems: ReadonlyMap<string, string>): void;
}

/** More gaps with the same text say no more. */
const mostAlike = 10;

export function createGapList(): GapList {
  const gaps = new Map<string, Gap>();
  const add: GapList['add'] = (file, what, line) => {
    gaps.set(
      JSON.stringify([file, what]),
      line === undefined ? { file, what } : { file, line, what },
    );
  };
  return {
    get gaps() {
      return [...gaps.values()];
    },
    add,
    addAll(problems) {
      for (const [what, entries] of Map.groupBy(problems, ([, problem]) => problem)) {
        if (entries.length > mostAlike) {
          add('', `${entries.length} files were not judged: ${what}`);
          continue;
        }
        for (const [file] of entries) {
          add(file, what);
        }
      }
    },
  };
}
