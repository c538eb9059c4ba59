/**
 * Characters that show something, and white space. Among others, this leaves out zero-width, bidirectional
 * and tag characters, variation selectors, control characters and private ones.
 */
const visible =
  '(?!\\p{Default_Ignorable_Code_Point})[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{Extended_Pictographic}\\t\\r\\n]';

/** A class for patterns: the letters of scripts in which a joiner between two letters is a part of the spelling. */
export const joining =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';

/**
 * Invisible characters that change how their neighbours look, in emoji and in the spelling of some scripts.
 * They are kept.
 */
const seenInItsPlace = [
  '(?<=\\p{Extended_Pictographic}|[0-9#*])\\uFE0F',
  '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
].join('|');

const seenOrInvisible = new RegExp(`(${seenInItsPlace})|(?!${visible}).`, 'gsu');

/** Removes the invisible characters of a text. What is left is what people see of plain text, such as a title. */
export function removeInvisible(text: string): string {
  return text.replace(seenOrInvisible, (_character, seen?: string) => seen ?? '');
}
