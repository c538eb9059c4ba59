import type { ThreadPlace } from '../github/comments.ts';
import type { Change, ChangedFile } from './change.ts';
import { kindOf } from './docs/kinds.ts';
import type { Finding, RuleSettings, Verdict } from './finding.ts';
import type { Visitors } from './readers.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { pathBefore } from './rules/page-changes.ts';

/** What became of a pull request: what the rules found, and what the reports show besides. */
export interface Judgement extends ChangeReading {
  readonly target: ThreadPlace;
  /** One for each row of the report. What blocks comes first; else, what is on the most read page. */
  readonly findings: readonly Finding[];
  readonly rules: RuleSettings;
  /** The pages that it changes, the most read one first. */
  readonly pages: readonly ChangedFile[];
  /** `undefined` if they could not be read. */
  readonly visitors: Visitors | undefined;
  readonly verdict: Verdict;
}

/** Weighs what the rules found. */
export function judgementOf(judged: Omit<Judgement, 'verdict'>): Judgement {
  const { findings, pages, visitors } = judged;
  const blocks = ({ severity }: Finding) => Number(severity === 'block');
  const readers = (file: string) => visitors?.get(file) ?? -1;
  return {
    ...judged,
    verdict: verdictOf(findings),
    findings: findings.toSorted(
      (one, other) =>
        blocks(other) - blocks(one) || readers(other.places[0].file) - readers(one.places[0].file),
    ),
    pages: pages.toSorted((one, other) => readers(other.path) - readers(one.path)),
  };
}

/** What the findings come to. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 ? 'review' : 'routine';
}

/** The pages of the docs that a change touches, snippets left out. */
export function touchedPages({ files, before, after }: Change): readonly ChangedFile[] {
  return files.filter(
    (file) =>
      (file.status !== 'deleted' && kindOf(file.path, after.site) === 'page') ||
      (file.status !== 'added' && kindOf(pathBefore(file), before.site) === 'page'),
  );
}
