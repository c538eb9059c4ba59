import type { Change } from './change.ts';
import type { Finding, RuleName, Verdict } from './finding.ts';
import type { TouchedPage } from './pages.ts';
import type { Readers } from './readers/readers.ts';
import type { Target } from './target.ts';

/** What became of a pull request: the verdict, and everything that the reports show of it. */
export interface Judgement {
  readonly target: Target;
  /** The commit that was judged. */
  readonly headSha: string;
  readonly verdict: Verdict;
  /** What blocks comes first, then by file and line of the first place. */
  readonly findings: readonly Finding[];
  readonly lookedAt: LookedAt;
  /** The rules that input `rules` switched off. */
  readonly rulesOff: readonly RuleName[];
  readonly change: Change;
  /** How many files the pull request changes. */
  readonly changedFiles: number;
  /** The changed pages, most read first. */
  readonly pages: readonly TouchedPage[];
  /** The docs as the vendor shows them before the merge; empty for none. */
  readonly previewLink: string;
  readonly readers: Readers;
}

/** What was compared and found plain, or has a finding: a verdict `routine` says how much that was. */
export interface LookedAt {
  /** Changed pages and snippets, new ones included. */
  readonly pages: number;
  readonly newPages: number;
  /** New or changed samples on these pages. */
  readonly samples: number;
  /** New or changed links and pictures on these pages. */
  readonly links: number;
  /** New or changed picture and video files; `isNew` if there was none of this name. */
  readonly pictures: readonly { readonly file: string; readonly isNew: boolean }[];
  /** New entries of the navigation, and new redirects. */
  readonly navigationEntries: number;
  readonly redirects: number;
  /** Changed API descriptions. */
  readonly apiFiles: number;
  /** Other changed files: those of input `allowed-paths`, word lists and data of translation tools. */
  readonly otherFiles: number;
}
