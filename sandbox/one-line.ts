// Control, format (invisible and direction) characters and lone surrogates are no text.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\s]+/gu;

/** Text from outside as one line of at most `max` characters, without what nobody can see. */
export function oneLine(text: string, max: number): string {
  return shorten(text.replace(UNSEEN, ' ').trim(), max);
}

/** Text of at most `max` characters, with a mark where it was cut. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
