/** Text, and how many invisible characters were taken out of it. */
export interface WithoutInvisible {
  readonly text: string;
  readonly taken: number;
}

/**
 * Characters that people do not see on GitHub's pages but an agent reads: zero-width, bidirectional
 * and tag characters, variation selectors, control characters other than tab and line ends.
 */
const invisibleCharacter =
  /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|(?![\t\n\r])\p{Cc}/gu;

/** Scripts in which a joiner between two letters is spelling. */
const joining =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}]';

/** Of these the ones that people do see, in what they do to their neighbours: emoji and spelling. */
const seenInItsPlace = new RegExp(
  [
    '(?<=\\p{Extended_Pictographic}|[0-9#*])\\uFE0F',
    '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})',
    `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
  ].join('|'),
  'gu',
);

/** Takes invisible characters out, but for those that spell a word or an emoji. */
export function takeOutInvisible(text: string): WithoutInvisible {
  const kept = new Set([...text.matchAll(seenInItsPlace)].map((match) => match.index));
  let taken = 0;
  const visible = text.replace(invisibleCharacter, (character, offset: number) => {
    if (kept.has(offset)) {
      return character;
    }
    taken += 1;
    return '';
  });
  return { text: visible, taken };
}

/** A text without all of them. */
export function withoutInvisible(text: string): string {
  return text.replace(invisibleCharacter, '');
}

/** Whether nothing but invisible characters and white space is left of a text. */
export function isBlank(text: string): boolean {
  return withoutInvisible(text).trim() === '';
}
