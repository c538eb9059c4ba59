import type { Gap } from '../finding.ts';

/** Collects what could not be judged. */
export interface GapList {
  readonly gaps: readonly Gap[];
  /** @param what a main clause; see `Gap` */
  add(file: string, what: string): void;
  /** Adds a gap for each file, or one for all with the same problem if there are many. */
  addAll(problems: ReadonlyMap<string, string>): void;
}

/** More gaps with the same text say no more. */
const mostAlike = 10;

export function createGapList(): GapList {
  const gaps = new Map<string, Gap>();
  const add = (file: string, what: string) => {
    gaps.set(JSON.stringify([file, what]), { file, what });
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
