import { decodeString } from 'micromark-util-decode-string';
import { dialectsOf } from './dialects.ts';
import { writeMarkdown } from './markdown.ts';
import { renderPage } from './page.ts';
import {
  addCounts,
  type HiddenCounts,
  type HiddenKind,
  type VisibleText,
  visiblePlainText,
} from './visible-text.ts';

/**
 * What a reader of rendered Markdown sees of it, still as Markdown: lists, tables, fences with
 * their language, links and images with their addresses.
 *
 * The text is rendered to the page that GitHub shows, and written again from nothing but that page.
 *
 * What GitHub draws (diagrams, maps, formulas) is left as it was written.
 *
 * @throws RangeError for a text that is nested too deeply to be read, or that would grow
 */
export function visibleMarkdown(text: string): VisibleText {
  const [ours, ...others] = dialectsOf(text);
  const page = renderPage(ours);
  const { blocks, unclear } = writeMarkdown(page.tree);
  const trusted = others.reduce(
    (kept, other) => shownByBoth(kept, writeMarkdown(renderPage(other).tree).blocks),
    blocks,
  );
  const { text: written, removed } = visiblePlainText(trusted.join('\n\n'));
  if (written.length > 3 * text.length + smallDocument) {
    throw new RangeError('References to long addresses make the text much longer than it is.');
  }
  // Nothing was hidden, so that the text may stay as it was written.
  if (sameWords(text, written)) {
    return visiblePlainText(text);
  }
  const hidden: HiddenKind[] = [
    ...page.hidden,
    ...Array<HiddenKind>(blocks.length - trusted.length + unclear).fill('block'),
    ...unshownWords(text, `${page.html} ${written}`),
  ];
  return { text: written, removed: addCounts([countKinds(hidden), removed]) };
}

/** Characters that addresses may always add. */
const smallDocument = 10_000;

/** The blocks whose words the others show, too. */
function shownByBoth(blocks: readonly string[], others: readonly string[]): readonly string[] {
  if (sameWords(blocks.join(' '), others.join(' '))) {
    return blocks;
  }
  const known = new Set(others.map((block) => wordsOf(block).join(' ')));
  return blocks.filter((block) => known.has(wordsOf(block).join(' ')));
}

/** Whether two texts say the same, whatever the marks between their words. */
function sameWords(a: string, b: string): boolean {
  return wordsOf(a).join(' ') === wordsOf(b).join(' ');
}

/** Tags that say nothing. */
const bareTag =
  /<\/?(?:b|blockquote|br|code|del|details|div|em|h[1-6]|hr|i|ins|kbd|li|ol|p|pre|s|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul)\s*\/?>/gi;

/** Markdown counts by itself, whatever number is written. */
const listNumber = /^[ \t>*+-]*\d{1,9}[.)](?=\s)/gm;

/** Everything but white space and ASCII's marks. */
const word = /[^\s!-/:-@[-`{-~]+/g;

function wordsOf(text: string): readonly string[] {
  const said = text.replace(bareTag, ' ').replace(listNumber, '');
  return decodeString(said).toLowerCase().match(word) ?? [];
}

/** The words of a text that its HTML does not hold, each time that they are missing. */
function unshownWords(text: string, html: string): readonly 'word'[] {
  const left = new Map<string, number>();
  for (const found of wordsOf(html)) {
    left.set(found, (left.get(found) ?? 0) + 1);
  }
  return wordsOf(text).flatMap((found) => {
    const count = left.get(found) ?? 0;
    left.set(found, count - 1);
    return count > 0 ? [] : ['word'];
  });
}

function countKinds(kinds: readonly HiddenKind[]): HiddenCounts {
  return addCounts(kinds.map((kind) => ({ [kind]: 1 })));
}
