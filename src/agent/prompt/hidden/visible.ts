import { applyCuts, countCuts, type HiddenCounts, withoutRepeats } from './cut.ts';
import { takeOutInvisible } from './invisible.ts';
import { dialectsOf } from './dialects.ts';
import { readMarkdown } from './markdown.ts';
import { findHiddenInPage } from './rendering.ts';

/** Text of the event without what a reader of the page cannot see, and what that was. */
export interface VisibleText {
  readonly text: string;
  readonly removed: HiddenCounts;
}

/** What plain text shows, such as a title: everything but invisible characters. */
export function visiblePlainText(text: string): VisibleText {
  const { text: visible, taken } = takeOutInvisible(text);
  return { text: visible, removed: taken > 0 ? { invisible: taken } : {} };
}

/**
 * What a reader of rendered Markdown sees of it, still as Markdown: lists, tables, fences with
 * their language, links and images with their addresses.
 *
 * The source is parsed once, and what renders to nothing is cut out of it. Whatever the rest would
 * be taken for by another parser: every letter of it was seen.
 */
export function visibleMarkdown(text: string): VisibleText {
  const source = text.replace(/^\uFEFF/, '');
  const cuts = withoutRepeats(
    dialectsOf(source).flatMap((dialect) => {
      const reading = readMarkdown(source, dialect);
      return [...reading.cuts, ...findHiddenInPage(reading, source)];
    }),
  );
  const { text: visible, taken } = takeOutInvisible(applyCuts(source, cuts));
  const counts = countCuts(cuts);
  const invisible = (counts.invisible ?? 0) + taken + text.length - source.length;
  return { text: visible, removed: invisible > 0 ? { ...counts, invisible } : counts };
}

/** Whether Markdown may hide something; none of it can without one of these marks. */
export function mayHide(text: string): boolean {
  return /[<[&|]|```|~~~/.test(text);
}
