import type { Change } from '../change.ts';
import { keysIn, shownCharacters } from './provider-key.ts';

/** A part of a key that is so long is taken out, where a quotation ends in the middle of the key. */
const leastPart = 10;

/** Nobody has more of them in a pull request, and each is searched for in every text. */
const mostKeys = 500;

/** Takes the keys that changed files have, or had, out of texts that reports show. */
export function redactorOf({ files }: Pick<Change, 'files'>): (text: string) => string {
  const all = files.flatMap(({ before, after, path }) => [before, after, path].flatMap(keysIn));
  const keys = [...new Set(all.map(({ whole }) => whole))].slice(0, mostKeys);
  return (text) => {
    const known = [...keys, ...keysIn(text).map(({ whole }) => whole)];
    return known.reduce(withoutKey, text);
  };
}

function withoutKey(text: string, key: string): string {
  const beginning = key.slice(0, leastPart);
  const [first = '', ...others] = text.split(beginning);
  const rest = others.map((part) => `${key.slice(0, shownCharacters)}…${withoutRest(part, key)}`);
  return [first, ...rest].join('');
}

/** Without what continues the key after its beginning. */
function withoutRest(text: string, key: string): string {
  let end = 0;
  while (end < text.length && text[end] === key[leastPart + end]) {
    end += 1;
  }
  return text.slice(end);
}
