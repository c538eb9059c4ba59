import { ownLink } from '../../text/markdown.ts';
import type { Result } from '../outputs.ts';

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result): string {
  return result.result === 'cancelled'
    ? 'The run was cancelled before there was a verdict.'
    : result.message;
}

/**
 * The text that replaces an earlier report when the check begins again. The earlier verdict is about another
 * commit, and would stay if this run were cancelled.
 */
export function checkingReport(runUrl: string): string {
  const run = runUrl === '' ? 'A run' : ownLink('This run', runUrl);
  return `### ⏳ Being checked\n\n${run} checks the newest commit, and then writes its verdict here. If it was cancelled, run it again.\n`;
}
