import type { Counts } from '../../src/platform/visitors.ts';
import type { Reply } from './scripted-api.ts';

export interface Row extends Counts {
  readonly path: string;
}

/** A row with this many visitors, all human. */
export function row(path: string, counts: Partial<Counts> = {}): Row {
  const { total = 10, human = total, ai = 0 } = counts;
  return { path, human, ai, total };
}

export function rows(count: number, prefix = '/page-'): readonly Row[] {
  return Array.from({ length: count }, (_, index) => row(`${prefix}${index}`));
}

export const totals: Counts = { human: 900, ai: 300, total: 1000 };

/** A response with these rows. */
export function batch(visitors: readonly Row[], hasMore = false): Reply {
  return { status: 200, body: { totals, visitors, hasMore } };
}

/** The responses to an export of these rows, 250 in each. */
export function batches(all: readonly Row[]): readonly Reply[] {
  const count = Math.max(1, Math.ceil(all.length / 250));
  return Array.from({ length: count }, (_, index) =>
    batch(all.slice(index * 250, (index + 1) * 250), index + 1 < count),
  );
}
