import { errorMessage } from '../../common/result.ts';
import { threadName } from '../../github/names.ts';
import { code, ownLink } from '../../text/markdown.ts';
import { counted, listed } from '../../text/plain.ts';
import type { Finding } from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import type { Result } from '../outputs.ts';

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result): string {
  switch (result.result) {
    case 'judged':
      return `${threadName(result.judgement.target)} ${verdictMessage(result.judgement)}.`;
    case 'cancelled':
      return 'The run was cancelled before there was a verdict.';
    case 'skipped':
      return result.message;
    case 'error':
      return errorMessage(result);
  }
}

/** The verdict on a pull request, which is the subject of the sentence: our words and numbers only. */
export function verdictMessage(judgement: Judgement): string {
  const { verdict, findings } = judgement;
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const others = findings.filter(({ severity }) => severity === 'review');
  switch (verdict) {
    case 'routine':
      return `is routine: ${whatIsPlain(judgement)}; whether it is true, only a reader can tell`;
    case 'review':
      return `needs a review because of ${countedByRule(others)}`;
    case 'blocked': {
      const more = counted(others.length, 'more finding needs', 'more findings need');
      const review = others.length === 0 ? '' : `, and ${more} a review`;
      return `is blocked by ${countedByRule(blocking)}${review}: change the pull request, or set a rule that should not block to review or off in the input rules`;
    }
  }
}

/** Such as `3 findings (removed and fact-changed)`. */
function countedByRule(findings: readonly Finding[]): string {
  const rules = new Set(findings.map(({ rule }) => rule));
  return `${counted(findings.length, 'finding')} (${listed([...rules])})`;
}

function whatIsPlain({ compared, change: { files }, rulesOff }: Judgement): string {
  // What else is plain in the settings, such as the name of a group, has no phrase of its own.
  const what = compared.length === 0 ? counted(files.length, 'settings file') : listed(compared);
  const nothing = files.some(({ status }) => status === 'deleted') ? 'nothing else' : 'nothing';
  return rulesOff.includes('removed') ? what : `${what}, ${nothing} removed`;
}

/** The report of a run without a verdict, in Markdown. */
export function shortReport(
  { result }: Exclude<Result, { readonly result: 'judged' }>,
  message: string,
): string {
  const headings = {
    cancelled: '🛑 The check was cancelled',
    skipped: '⏭️ Nothing was checked',
    error: '❌ The check ended with an error',
  } as const;
  return `### ${headings[result]}\n\n${code(message, 2000)}\n`;
}

/**
 * What an earlier report becomes when the check begins again: its verdict is about another commit, and
 * would stay if this run were cancelled.
 */
export function checkingReport(runUrl: string): string {
  const run = runUrl === '' ? 'A run' : ownLink('This run', runUrl);
  return `### ⏳ Being checked\n\n${run} checks the newest commit, and then writes its verdict here. If it was cancelled, run it again.\n`;
}
