import type { ThreadPlace } from '../github/names.ts';
import type { ChangedFile } from './change.ts';
import { isPagePath, kindOf } from './docs/kinds.ts';
import type { Finding, RuleSettings, Verdict } from './finding.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { isShownNow, wasShown } from './rules/page-changes.ts';

/** What the rules found in a pull request, and what the reports show besides. */
export interface Judgement extends ChangeReading {
  readonly target: ThreadPlace;
  /** One finding for each row of the report. Findings that block come first. */
  readonly findings: readonly Finding[];
  readonly rules: RuleSettings;
  readonly verdict: Verdict;
  /** The changed pages, and the changed snippets that pages include, before or after the change. By path. */
  readonly pages: readonly ChangedFile[];
  /** How many lines of `pages` are new, and how many are gone, as GitHub counts them. */
  readonly addedLines: number;
  readonly removedLines: number;
  readonly newPages: number;
}

/** Concludes the verdict from the findings, and counts what is new. */
export function judgementOf(
  judged: ChangeReading & Pick<Judgement, 'target' | 'findings' | 'rules'>,
): Judgement {
  const { findings, change } = judged;
  const pages = change.files.filter(
    (file) => isPagePath(file.path) && (isShownNow(file, change) || wasShown(file, change)),
  );
  const sumOf = (count: (file: ChangedFile) => number) =>
    pages.reduce((sum, file) => sum + count(file), 0);
  const isNewPage = ({ status, path }: ChangedFile) =>
    status === 'added' && kindOf(path, change.after.site) === 'page';
  return {
    ...judged,
    verdict: verdictOf(findings),
    pages,
    addedLines: sumOf(({ additions }) => additions),
    removedLines: sumOf(({ deletions }) => deletions),
    newPages: pages.filter(isNewPage).length,
  };
}

export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 ? 'review' : 'passed';
}
