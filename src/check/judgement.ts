import type { ThreadPlace } from '../github/comments.ts';
import type { Change, ChangedFile } from './change.ts';
import { kindOf } from './docs/kinds.ts';
import type { Finding, RuleName, RuleSettings, Verdict } from './finding.ts';
import type { Readers } from './readers.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { compared } from './rules/compared.ts';
import { pathBefore } from './rules/page-changes.ts';
import { judgeChange } from './rules/rules.ts';

/** What became of a pull request: the verdict, and everything that the reports show of it. */
export interface Judgement extends ChangeReading {
  readonly target: ThreadPlace;
  readonly verdict: Verdict;
  /** One for each row of the report: what blocks comes first, then what is on the most read page. */
  readonly findings: readonly Finding[];
  /** What was compared, such as `text on 3 pages (1 new)`: our words and numbers only. */
  readonly compared: readonly string[];
  /** The rules that input `rules` switched off. */
  readonly rulesOff: readonly RuleName[];
  /** The changed pages, most read first. */
  readonly pages: readonly TouchedPage[];
  readonly readers: Readers;
}

/** A page of the docs that the pull request changes. */
export interface TouchedPage extends Omit<ChangedFile, 'before' | 'after'> {
  /** Of the last 30 days; `undefined` if that is not known. */
  readonly visitors: number | undefined;
}

/** Applies the rules to a change, and weighs what they find. */
export function judgementOf(
  target: ThreadPlace,
  reading: ChangeReading,
  settings: RuleSettings,
  readers: Readers,
): Judgement {
  const { change } = reading;
  const pages = touchedPages(change, readers);
  const findings = mostReadFirst(judgeChange(change, settings), pages);
  return {
    ...reading,
    target,
    verdict: verdictOf(findings),
    findings,
    compared: compared(change),
    rulesOff: [...settings].filter(([, severity]) => severity === 'off').map(([rule]) => rule),
    pages,
    readers,
  };
}

/** What the findings come to. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 ? 'review' : 'routine';
}

/** What blocks first, then by the readers of the page. */
export function mostReadFirst(
  findings: readonly Finding[],
  pages: readonly TouchedPage[],
): readonly Finding[] {
  const pageOf = new Map(pages.map((page) => [page.path, page]));
  const page = ({ places: [{ file }] }: Finding) => pageOf.get(file);
  const blocks = ({ severity }: Finding) => Number(severity === 'block');
  return findings.toSorted(
    (one, other) => blocks(other) - blocks(one) || byReaders(page(one), page(other)),
  );
}

function byReaders(one: TouchedPage | undefined, other: TouchedPage | undefined): number {
  return (other?.visitors ?? -1) - (one?.visitors ?? -1);
}

/** The pages that a change touches, snippets left out: most read first, then by path. */
export function touchedPages(
  { files, before, after }: Change,
  readers: Readers,
): readonly TouchedPage[] {
  const visitors = typeof readers === 'string' ? undefined : readers;
  return files
    .filter(
      (file) =>
        (file.status !== 'deleted' && kindOf(file.path, after.site) === 'page') ||
        (file.status !== 'added' && kindOf(pathBefore(file), before.site) === 'page'),
    )
    .map((file) => ({ ...file, visitors: visitors?.get(pathBefore(file)) }))
    .toSorted((one, other) => byReaders(one, other) || (one.path < other.path ? -1 : 1));
}
