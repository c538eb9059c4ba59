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

/**
 * A comment as GitHub hides it: closed anywhere, or opened at the start of a line and never
 * closed. An unclosed `<!--` inside a line is shown, so it stays.
 */
const htmlComment = /<!--(?:-?>|[\s\S]*?-->)|^ {0,3}<!--[\s\S]*/gmu;

/**
 * Takes out what a reader of the issue cannot see: an instruction hidden there is not one that the
 * person who set the label has read.
 */
export function takeOutHidden(text: string): CleanText {
  const invisible = countMatches(text, invisibleCharacter);
  let visible = text.replace(invisibleCharacter, '');
  let comments = 0;
  // Taking one comment out can put the halves of another together.
  for (let found = countMatches(visible, htmlComment); found > 0; ) {
    comments += found;
    visible = visible.replace(htmlComment, '');
    found = countMatches(visible, htmlComment);
  }
  return { text: visible, comments, invisible };
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** What stands at a path of the event's payload. */
export type EventField =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nowhere' };

/** Reads a field; a null is an empty text, a list or mapping becomes compact JSON. */
export function readEventField(payload: unknown, path: readonly string[]): EventField {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return { kind: 'nowhere' };
    }
    value = Reflect.get(value, name);
  }
  return { kind: 'text', text: textOf(value) };
}

function textOf(value: unknown): string {
  if (value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
