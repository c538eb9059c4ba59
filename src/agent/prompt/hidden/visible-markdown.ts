import { applyCuts, countCuts, withoutRepeats } from './cut.ts';
import { dialectsOf } from './dialects.ts';
import { takeOutInvisible } from './invisible.ts';
import { readMarkdown } from './markdown.ts';
import { findHiddenInPage } from './rendering.ts';
import type { VisibleText } from './visible-plain.ts';

/**
 * What a reader of rendered Markdown sees of it, still as Markdown: lists, tables, fences with
 * their language, links and images with their addresses.
 *
 * The source is parsed, and the ranges that render to nothing are cut out of it, once. Whatever the
 * rest would be taken for if it were parsed again, every letter of it was seen.
 *
 * What GitHub draws (diagrams, maps, formulas) is left as it was written.
 *
 * @throws RangeError for a text that is nested too deeply to be read, or that would grow
 */
export function visibleMarkdown(text: string): VisibleText {
  const source = text.replace(/^\uFEFF/, '');
  const cuts = withoutRepeats(
    dialectsOf(source).flatMap((dialect) => {
      const reading = readMarkdown(source, dialect);
      return [...reading.cuts, ...findHiddenInPage(reading, source)];
    }),
  );
  // Before the parsing they may have held something apart.
  const { text: visible, taken } = takeOutInvisible(applyCuts(source, cuts));
  const counts = countCuts(cuts);
  const invisible = (counts.invisible ?? 0) + taken + text.length - source.length;
  return { text: visible, removed: invisible > 0 ? { ...counts, invisible } : counts };
}
