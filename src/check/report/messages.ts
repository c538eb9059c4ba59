import { code, ownLink } from '../../text/markdown.ts';
import { counted, listed } from '../../text/plain.ts';
import type { Finding } from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import type { Result } from '../outputs.ts';
import { plainQuote } from '../sentence.ts';
import { nameOf } from '../target.ts';

/** How many rules and files a sentence names. */
const maxNamed = 3;

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result): string {
  switch (result.result) {
    case 'judged':
      return `${nameOf(result.judgement.target)} ${verdictMessage(result.judgement)}.`;
    case 'cancelled':
      return 'The run was cancelled before there was a verdict.';
    case 'skipped':
      return result.message;
    case 'error':
      return result.reason === 'internal-error'
        ? `This action hit an internal error (${result.errorName}): run it again with debug logging enabled, and report what the log says.`
        : result.message;
  }
}

function verdictMessage(judgement: Judgement): string {
  const { findings } = judgement;
  const blocking = findings.filter(({ severity }) => severity === 'block');
  switch (judgement.verdict) {
    case 'routine':
      return `is routine: ${routineMessage(judgement)}`;
    case 'review':
      return `needs a review because of ${counted(findings.length, 'finding')} (${namesOf(findings)})`;
    case 'blocked':
      return `is blocked by ${counted(blocking.length, 'finding')} (${namesOf(blocking)})${moreToReview(findings.length - blocking.length)}: change the pull request, or set a rule that should not block to review or off in the input rules`;
  }
}

function moreToReview(count: number): string {
  return count === 0
    ? ''
    : `, and ${counted(count, 'more finding needs', 'more findings need')} a review`;
}

/** Such as `sample-changed in guides/setup.mdx (3 times) and 2 more`. */
function namesOf(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { rule, places } of findings) {
    const [{ file }] = places;
    const name = file === '' ? rule : `${rule} in ${plainQuote(file)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].slice(0, maxNamed);
  const rest = named.reduce((left, [, count]) => left - count, findings.length);
  return listed([
    ...named.map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`)),
    ...(rest > 0 ? [`${rest} more`] : []),
  ]);
}

/** What was looked at, and what that does not say. Our words and numbers only, without a full stop. */
export function routineMessage({ compared, change, rulesOff }: Judgement): string {
  const { files } = change;
  // What else is plain in the settings, such as the name of a group, has no phrase of its own.
  const what = compared.length === 0 ? counted(files.length, 'settings file') : listed(compared);
  const nothing = files.some(({ status }) => status === 'deleted') ? 'nothing else' : 'nothing';
  const isWhole = !rulesOff.includes('removed');
  return `${what}${isWhole ? `, ${nothing} removed` : ''}; whether it is true, only a reader can tell`;
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
