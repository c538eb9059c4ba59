import type { Change } from './change.ts';
import type { Gap, JudgedFinding } from './old-finding.ts';
import type { TouchedPage } from './pages.ts';
import type { Readers } from './readers/readers.ts';
import type { Target } from './target.ts';
import type { Verdict } from './verdict.ts';

/** What became of a pull request: the verdict, and everything that the reports show of it. */
export interface Judgement {
  readonly target: Target;
  /** The commit that was judged. */
  readonly headSha: string;
  readonly verdict: Verdict;
  /** What blocks comes first. */
  readonly findings: readonly JudgedFinding[];
  readonly gaps: readonly Gap[];
  readonly change: Change;
  /** How many files the pull request changes. */
  readonly changedFiles: number;
  /** Most read first. */
  readonly pages: readonly TouchedPage[];
  /** The docs as the vendor shows them before the merge; empty for none. */
  readonly previewLink: string;
  readonly readers: Readers;
  /** Names of the vendor's checks that have not finished. */
  readonly pendingChecks: readonly string[];
  /** How many changed pages the rule `reverted-lines` does not know the history of. */
  readonly pagesWithoutHistory: number;
}
