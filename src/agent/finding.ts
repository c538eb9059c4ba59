/** What a dry run found out about one thing that a real run needs. */
export interface Finding {
  /**
   * `good`: in order. `note`: a real run starts all the same. `unknown`: only a real run can tell. `bad`: a
   * real run would fail.
   */
  readonly level: 'good' | 'note' | 'unknown' | 'bad';
  /** What was checked, in a word or two. */
  readonly name: string;
  /** One sentence: what was found, and where something is wrong, what to do. */
  readonly text: string;
}

/** Adds a finding to the report of a dry run. */
export type AddFinding = (level: Finding['level'], name: string, text: string) => void;
