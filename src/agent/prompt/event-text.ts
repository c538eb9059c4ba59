import { splitAtFences } from './fences.ts';

/** Text of the event, and what was taken out of it. */
export interface CleanText {
  readonly text: string;
  readonly comments: number;
  readonly invisible: number;
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

/**
 * A comment as GitHub hides it: closed anywhere, or opened at the start of a line and never
 * closed. An unclosed `<!--` inside a line is shown, so it stays.
 */
const htmlComment = /<!--(?:-?>|[\s\S]*?-->)|^ {0,3}<!--[\s\S]*/gmu;

/**
 * Takes out what a reader of the issue cannot see, so that whoever set the label has seen what the
 * agent is told. It is no defence against what stands there for all to see.
 */
export function takeOutHidden(text: string): CleanText {
  const { text: visible, taken: invisible } = takeOutInvisible(text);
  const { text: shown, taken: comments } = takeOutComments(visible);
  return { text: shown, comments, invisible };
}

interface Taken {
  readonly text: string;
  readonly taken: number;
}

function takeOutInvisible(text: string): Taken {
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

/** Taking one comment out can put the halves of another, or of a fence, together: so until none is left. */
function takeOutComments(text: string): Taken {
  let pass = takeOutOnce(text);
  let taken = pass.taken;
  while (pass.taken > 0) {
    pass = takeOutOnce(pass.text);
    taken += pass.taken;
  }
  return { text: pass.text, taken };
}

function takeOutOnce(text: string): Taken {
  const parts = splitAtFences(text).map((part) =>
    part.isFence
      ? { text: part.text, taken: 0 }
      : { text: part.text.replace(htmlComment, ''), taken: countComments(part.text) },
  );
  return {
    text: parts.map((part) => part.text).join(''),
    taken: parts.reduce((sum, part) => sum + part.taken, 0),
  };
}

function countComments(text: string): number {
  return text.match(htmlComment)?.length ?? 0;
}

/** What stands at a path of the event's payload. */
export type EventField =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'nowhere' };

/** Reads a field of the payload. */
export function readEventField(payload: unknown, path: readonly string[]): EventField {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return { kind: 'nowhere' };
    }
    value = Reflect.get(value, name);
  }
  return { kind: 'value', value };
}

/**
 * A field's value as text without what is hidden in it: a null is empty, a list or mapping becomes
 * compact JSON, with every text in it cleaned.
 */
export function cleanField(value: unknown): CleanText {
  if (value === null) {
    return takeOutHidden('');
  }
  if (typeof value !== 'object') {
    return takeOutHidden(String(value));
  }
  let comments = 0;
  let invisible = 0;
  const text = JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'string') {
      return inner;
    }
    const clean = takeOutHidden(inner);
    comments += clean.comments;
    invisible += clean.invisible;
    return clean.text;
  });
  return { text, comments, invisible };
}
