import { code, factTable } from '../text/markdown.ts';
import { type Fact, headingMarks } from './facts.ts';
import { isExplained, type Result } from './result.ts';
import type { Words } from './words.ts';

/** What people see of a step, on the run's page and in the comment. */
export interface Card {
  readonly heading: string;
  /** Plain text that may hold foreign words; empty where the heading says it all. */
  readonly message: string;
  readonly facts: readonly Fact[];
  /** Markdown; empty where nothing is to be done. */
  readonly next: string;
}

/** The card of a step at its end. */
export function endCard(result: Result, words: Words, facts: readonly Fact[]): Card {
  return {
    heading: `${headingMarks[result.result]} ${words.heading}`,
    message: isExplained(result) ? words.message : '',
    facts,
    next: words.next,
  };
}

/** @param foot Markdown that stands below; empty for none */
export function cardMarkdown({ heading, message, facts, next }: Card, foot = ''): string {
  const parts = [
    `### ${heading}`,
    message === '' ? '' : code(message, 2000),
    factTable(facts),
    next === '' ? '' : `**Next:** ${next}`,
    foot,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
