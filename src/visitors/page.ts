import type { Counts, PageVisitors } from '../platform/visitor.ts';

/** A row of the export. */
export interface Page extends PageVisitors {
  /** The figures of the previous period; `undefined` if they are not known or not compared. */
  readonly previous: Counts | undefined;
}

export const noVisitors: Counts = { human: 0, ai: 0, total: 0 };

/** The share of AI visitors, 0 to 1; 0 without visitors. */
export function aiShare({ ai, total }: Counts): number {
  return total === 0 ? 0 : Math.min(ai / total, 1);
}
