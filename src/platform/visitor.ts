/** Approximate numbers of unique visitors. None of them is the sum of the others. */
export interface Counts {
  readonly human: number;
  readonly ai: number;
  /** Deduplicated across human and AI traffic. */
  readonly total: number;
}

/** The visitors of one page of the documentation. */
export interface PageVisitors extends Counts {
  readonly path: string;
}

/** One response to "Get unique visitors", with up to 250 rows. */
export interface VisitorBatch {
  /** Totals of the whole site, for all of the dates. */
  readonly totals: Counts;
  readonly rows: readonly PageVisitors[];
  /** Whether the API says that more rows follow. */
  readonly hasMore: boolean;
}
