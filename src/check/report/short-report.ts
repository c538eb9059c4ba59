import { code, link } from '../../text/markdown.ts';
import type { Result } from '../result.ts';

/** The summary of a run without a verdict, in Markdown. */
export function shortReport(
  { result }: Exclude<Result, { readonly result: 'judged' }>,
  message: string,
): string {
  return `### ${headings[result]}\n\n${code(message, 2000)}\n`;
}

/**
 * What an earlier report becomes when the check begins again: its verdict is about another commit, and
 * would stay if this run were cancelled.
 * @param runUrl link to this run's page; empty outside a run
 */
export function checkingReport(runUrl: string): string {
  const run = runUrl === '' ? 'A run' : link('This run', runUrl);
  return `### ⏳ Being checked\n\n${run} checks the newest commit, and then writes its verdict here. If it was cancelled, run it again.\n`;
}

const headings = {
  cancelled: '🛑 The check was cancelled',
  skipped: '⏭️ Nothing was checked',
  error: '❌ The check ended with an error',
} as const;
