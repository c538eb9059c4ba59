import type { ErrorEnd, SkippedResult } from '../common/result.ts';
import type { OutputTable } from '../runner/runner.ts';
import type { Conclusion } from '../runner/step.ts';
import { jsonList } from '../text/output.ts';
import { shortened } from '../text/plain.ts';
import type { ChangedFile } from './change.ts';
import { type Finding, type Place, sentenceOf, type Verdict } from './finding.ts';
import type { CheckInputs, FailOn } from './inputs.ts';
import type { Judgement } from './judgement.ts';
import { plainOf } from './sentence.ts';

/** How the step ended, as the output `result` names it. */
export type Result =
  | {
      readonly result: 'judged';
      readonly verdict: Verdict;
      /** One sentence. */
      readonly message: string;
      /** The report for people, in Markdown. */
      readonly report: string;
    }
  | SkippedResult
  | ErrorEnd;

/**
 * How a verdict, or an end without one, is reported; `failure` makes the step fail.
 * @param failOn empty for `none`: then the workflow decides by the outputs, and no annotation is written
 */
export function levelOf(
  end: Verdict | Exclude<Result['result'], 'judged'>,
  failOn: ReadonlySet<FailOn> = new Set(['blocked']),
): Conclusion['level'] {
  switch (end) {
    case 'passed':
      return 'info';
    case 'review':
    case 'skipped':
    case 'blocked':
      if (failOn.has(end)) return 'failure';
      if (failOn.size === 0) return 'info';
      return end === 'blocked' ? 'warning' : 'notice';
    case 'cancelled':
    case 'error':
      return 'failure';
  }
}

/** What the step has found out so far. */
export interface State extends Partial<Judgement> {
  readonly inputs?: CheckInputs;
  readonly end?: { readonly result: Result; readonly message: string };
}

/** The value of each output in check/action.yml, as a function of the state. */
export const outputs = {
  verdict: ({ verdict }) => verdict,
  /** One entry for each row of the report, in the order of the report. */
  findings: ({ findings }) => findings && jsonList(findings.map(entryOf), maxBytes),
  pages: ({ pages }) => pages && jsonList(pages.map(pageEntryOf), maxBytes),
  'added-lines': ({ addedLines }) => addedLines?.toString(),
  'removed-lines': ({ removedLines }) => removedLines?.toString(),
  'new-pages': ({ newPages }) => newPages?.toString(),
  'head-sha': ({ headSha }) => headSha,
  'changed-files': ({ changedFiles }) => changedFiles?.toString(),
  result: ({ end }) => end?.result.result,
  reason: ({ end }) => (end && 'reason' in end.result ? end.result.reason : ''),
  message: ({ end }) => end?.message,
} as const satisfies OutputTable<State>;

/** A step that acts on a finding needs the beginning of a text; the file has the rest. */
const maxTextLength = 500;

const maxSentenceLength = 2000;

/** Enough for a site in many languages. */
const maxOthers = 20;

/**
 * The size limit of each list, so that a later step can take it as an environment variable (128 KiB on
 * Linux). All outputs of a job together may have 1 MB.
 */
const maxBytes = 96 * 1024;

function entryOf(finding: Finding) {
  const { rule, severity, what, before, after, places } = finding;
  const [place, ...others] = places;
  return {
    rule,
    severity,
    sentence: shortened(sentenceOf(finding), maxSentenceLength),
    ...placeOf(place),
    what: shortened(plainOf(what), maxTextLength),
    before: before === undefined ? null : shortened(before, maxTextLength),
    after: after === undefined ? null : shortened(after, maxTextLength),
    others: others.slice(0, maxOthers).map(placeOf),
  };
}

function pageEntryOf({ path, status, additions, deletions }: ChangedFile) {
  return { path, status, added: additions, removed: deletions };
}

function placeOf({ file, line }: Place) {
  return { file, line: line ?? null };
}
