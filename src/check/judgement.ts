import type { ThreadPlace } from '../github/comments.ts';
import type { Change, ChangedFile } from './change.ts';
import { kindOf } from './docs/kinds.ts';
import type { Finding, RuleName, RuleSettings, Verdict } from './finding.ts';
import type { Visitors } from './readers.ts';
import type { ChangeReading } from './reading/read-change.ts';
import { pathBefore } from './rules/page-changes.ts';
import { judgeChange } from './rules/rules.ts';

/** What became of a pull request: the verdict, and everything that the reports show of it. */
export interface Judgement extends ChangeReading {
  readonly target: ThreadPlace;
  readonly verdict: Verdict;
  /** One for each row of the report: what blocks comes first, then what is on the most read page. */
  readonly findings: readonly Finding[];
  /** The rules that input `rules` switched off. */
  readonly rulesOff: readonly RuleName[];
  /** The changed pages, most read first. */
  readonly pages: readonly ChangedFile[];
  /** `undefined` if they could not be read. */
  readonly visitors: Visitors | undefined;
}

/** Applies the rules to a change, and weighs what they find. */
export function judgementOf(
  target: ThreadPlace,
  reading: ChangeReading,
  settings: RuleSettings,
  visitors: Visitors | undefined,
): Judgement {
  const { change } = reading;
  const findings = judgeChange(change, settings);
  return {
    ...reading,
    target,
    verdict: verdictOf(findings),
    findings: mostReadFirst(findings, visitors),
    rulesOff: [...settings].filter(([, severity]) => severity === 'off').map(([rule]) => rule),
    pages: touchedPages(change, visitors),
    visitors,
  };
}

/** What the findings come to. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'block')) {
    return 'blocked';
  }
  return findings.length > 0 ? 'review' : 'routine';
}

/** What blocks first, then by the visitors of the page. */
export function mostReadFirst(
  findings: readonly Finding[],
  visitors: Visitors | undefined,
): readonly Finding[] {
  const blocks = ({ severity }: Finding) => Number(severity === 'block');
  const read = ({ places: [{ file }] }: Finding) => visitors?.get(file) ?? -1;
  return findings.toSorted((one, other) => blocks(other) - blocks(one) || read(other) - read(one));
}

/** The pages of the docs that a change touches, snippets left out: most read first. */
export function touchedPages(
  { files, before, after }: Change,
  visitors?: Visitors,
): readonly ChangedFile[] {
  const read = ({ path }: ChangedFile) => visitors?.get(path) ?? -1;
  return files
    .filter(
      (file) =>
        (file.status !== 'deleted' && kindOf(file.path, after.site) === 'page') ||
        (file.status !== 'added' && kindOf(pathBefore(file), before.site) === 'page'),
    )
    .toSorted((one, other) => read(other) - read(one));
}
