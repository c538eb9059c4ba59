import type { Counts, PageVisitors } from '../platform/visitor.ts';

/** A row of the export. */
export interface Page extends PageVisitors {
  /** The figures of the time before; `undefined` when they are not known or were not asked for. */
  readonly previous: Counts | undefined;
}

export const nobody: Counts = { human: 0, ai: 0, total: 0 };

/** How many of the visitors are AI, 0 to 1; 0 where nobody came. */
export function aiShare({ ai, total }: Counts): number {
  return total === 0 ? 0 : Math.min(ai / total, 1);
}
