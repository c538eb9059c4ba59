import type { Unread } from '../change.ts';

/** Collects what could not be read, each problem of a file once. */
export interface UnreadList {
  readonly all: readonly Unread[];
  /** @param problem a main clause; see `Unread` */
  add(file: string, problem: string, line?: number): void;
}

export function createUnreadList(): UnreadList {
  const found = new Map<string, Unread>();
  return {
    get all() {
      return [...found.values()];
    },
    add(file, problem, line) {
      found.set(JSON.stringify([file, problem]), {
        file,
        problem,
        ...(line !== undefined && { line }),
      });
    },
  };
}
