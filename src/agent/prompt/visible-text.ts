import { counted, listed } from '../../text/plain.ts';

/** What can be hidden in a text, as the report names it. */
const hiddenKinds = {
  html: ['HTML comment, tag or attribute', 'HTML comments, tags and attributes'],
  drawing: ['diagram or formula', 'diagrams and formulas'],
  title: ['link title', 'link titles'],
  link: ['link without text', 'links without text'],
  address: ['part of an address', 'parts of addresses'],
  description: ['image description', 'image descriptions'],
  definition: ['link definition or unused footnote', 'link definitions and unused footnotes'],
  word: ['word that Markdown does not show', 'words that Markdown does not show'],
  unclear: ['passage that may not be visible', 'passages that may not be visible'],
  invisible: ['invisible character', 'invisible characters'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

export type HiddenKind = keyof typeof hiddenKinds;

/** Text of the event without what a reader of the page cannot see, and what was left out. */
export interface VisibleText {
  readonly text: string;
  /** The kind of each part that was left out. */
  readonly hidden: readonly HiddenKind[];
}

/** Counts a part of a text if it is hidden. */
export function countHidden(hidden: HiddenKind[], kind: HiddenKind, isHidden: boolean): void {
  if (isHidden) {
    hidden.push(kind);
  }
}

/** Describes what was left out, such as `2 link titles`; empty if nothing was. */
export function describeHidden(hidden: readonly HiddenKind[]): string {
  return listed(
    Object.entries(hiddenKinds).flatMap(([kind, [one, many]]) => {
      const count = hidden.filter((each) => each === kind).length;
      return count > 0 ? [counted(count, one, many)] : [];
    }),
  );
}

/**
 * Characters that show something, and white space. Left out are, among others, zero-width,
 * bidirectional and tag characters, variation selectors, control characters, private ones.
 */
const visible =
  '(?!\\p{Default_Ignorable_Code_Point})[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{Extended_Pictographic}\\t\\r\\n]';

/** Scripts in which a joiner between two letters is spelling. */
const joining =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';

/** Of the others the ones that people do see, in what they do to their neighbours: emoji and spelling. */
const seenInItsPlace = [
  '(?<=\\p{Extended_Pictographic}|[0-9#*])\\uFE0F',
  '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
].join('|');

const seenOrInvisible = new RegExp(`(${seenInItsPlace})|(?!${visible}).`, 'gsu');

/** What plain text shows, such as a title: everything but invisible characters. */
export function visiblePlainText(text: string): VisibleText {
  const hidden: HiddenKind[] = [];
  const shown = text.replace(seenOrInvisible, (_character, seen?: string) => {
    countHidden(hidden, 'invisible', seen === undefined);
    return seen ?? '';
  });
  return { text: shown, hidden };
}
