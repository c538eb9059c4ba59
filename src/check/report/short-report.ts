import { code } from '../../text/markdown.ts';
import type { Result } from '../result.ts';

/** The summary of a run without a verdict, in Markdown. */
export function shortReport(
  { result }: Exclude<Result, { readonly result: 'judged' }>,
  message: string,
): string {
  return `### ${headings[result]}\n\n${code(message, 2000)}\n`;
}

const headings = {
  cancelled: '🛑 The check was cancelled',
  skipped: '⏭️ Nothing was checked',
  error: '❌ The check ended with an error',
} as const;
