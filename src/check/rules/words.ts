import { closest } from '../../text/closest.ts';

/** The words of a text in lower case; of a script without spaces, its characters. */
export function wordsOf(text: string): readonly string[] {
  return signedWordsOf(text).filter((word) => !isSign.test(word));
}

/** With the signs between them, and one arrow for all of those in menus. */
export function signedWordsOf(text: string): readonly string[] {
  const words = spelledOut(text)
    .toLowerCase()
    .replace(/[-=]>|[>⇒](?= ?\p{L})/gu, '→');
  return words.match(word)?.map((one) => one.replace(' ', '')) ?? [];
}

/** With each negation as a word of its own, and numbers and ranges in one spelling. */
function spelledOut(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\b(?:(can)(?:not|'t)|won't)\b/giu, (_, can = 'will') => `${can} not`)
    .replace(/n't\b/giu, ' not')
    .replace(/(?<=\p{N}),(?=\p{N}{3})/gu, '')
    .replace(/(?<=\p{N}) ?[–−] ?(?=\p{N})/gu, '-');
}

/** Some words that stand together in a text, as they stand there. */
export function asWritten(words: readonly string[], text: string): string {
  const all = signedWordsOf(text);
  const start = all.findIndex((_, index) => words.every((word, at) => word === all[index + at]));
  if (start === -1) {
    return words.join(' ');
  }
  const shown = spelledOut(text);
  const [first, ...rest] = [...shown.matchAll(word)].slice(start, start + words.length);
  const last = rest.at(-1) ?? first;
  return shown.slice(first?.index, last && last.index + last[0].length);
}

/** How much of some words a text still has, from 0 to 1. */
export function keptPart(words: readonly string[], text: string): number {
  const lost = newItems(wordsOf(text), words, String).length;
  return words.length === 0 ? 0 : (words.length - lost) / words.length;
}

/** The items of `after` that `before` lacks. One that occurs three times and did twice is new once. */
export function newItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  for (const item of before) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return after.filter((item) => {
    const key = keyOf(item);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Two words that stand beside each other, for each word of a text but the last one. */
export function phrasesIn(text: string): readonly string[] {
  const words = wordsOf(text);
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** The sentences of a text, or the lines of a script that has no spaces. A row of a table is one sentence. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+(?=[\p{Lu}\p{Lo}`"'(])|(?<=[。！？])/u)
    .filter((one) => one !== '');
}

/**
 * Numbers with their units, names with a number in them, negations and duties. Words that say the same count as one: each
 * negation is `not`.
 */
export function factsIn(text: string): readonly string[] {
  return text
    .split('|')
    .map(signedWordsOf)
    .flatMap((words) => words.flatMap(factAt));
}

function factAt(word: string, index: number, words: readonly string[]): string | readonly [] {
  const next = words[index + 1] ?? '';
  if (isNegation.test(word)) {
    return 'not';
  }
  if (isDuty.test(word)) {
    return word.replace(/^(?:requires?|mandatory)$/u, 'required');
  }
  if (!/\p{N}/u.test(word)) {
    return [];
  }
  const hasUnit = isNumber.test(word) && /^\p{L}/u.test(next) && !plainWords.has(next);
  return hasUnit ? `${word} ${next}` : word;
}

/** The negations and the duties of a text. */
export function turnsIn(text: string): readonly string[] {
  return factsIn(text).filter((fact) => fact === 'not' || isDuty.test(fact));
}

/** Such as `30`, `5min` or `two`, and no name with a number in it. */
export const isNumber =
  /^(?:[\p{S}-]*\p{N}|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred)$)/u;
/** Such as `=` and `$`, and no part of a word. */
export const isSign = /^[\p{Sm}\p{Sc}]$/u;

const negations = 'not|no|non|never|none|neither|nor|without|except|unable|zero';
const duties =
  'default|must|only|least|most|required?|requires|mandatory|optional|optionally|beta|deprecated|experimental|permanent|permanently|irreversible|irreversibly';

export const isNegation = new RegExp(`^(?:${negations})$`, 'u');
const isDuty = new RegExp(`^(?:${duties})$`, 'u');

/** Words of which one can stand for another one, or go, and a sentence still says the same; negations are facts. */
const plainWords = new Set(
  'no not non never none neither nor without zero a an the this that these those each every it its they them their you your we our i my he she his her who whom whose which what there here and or but so then than as if when where while because since though although however therefore also too just simply easily quickly directly very quite really actually currently now already please note of in at by for from to into onto with about through across between among via per like such be is are was were been being am do does did done has have had having can could would shall should let lets gets got make makes made use uses used using want wants need needs follow following etc e g one other another able own way ways see refer click select press choose tap navigate ensure sure'.split(
    ' ',
  ),
);

/**
 * The words that say something by themselves, and are not spelled like one of the others. A single character of
 * another script than Latin is often no word.
 */
export function unlikeWords(
  words: readonly string[],
  others: readonly string[],
): readonly string[] {
  return words.filter(
    (word) =>
      /^(?:[a-z]|..+)$/u.test(word) &&
      !plainWords.has(word) &&
      !others.some((other) => other.length > 1 && isAlike(word, other)),
  );
}

/** `server` is not `serverless`. */
const longestEnding = 2;

/** Whether one word is a form of another one, or a misspelling of it, as `installs` and `instal` are of `install`. */
function isAlike(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((word) => word.replace(/(?<=\p{L}{3})(?:e|e?[ds]|ing)$/u, ''))
    .toSorted((a, b) => a.length - b.length);
  const others = [...short].filter((letter, index) => letter !== long[index]);
  const isMisspelled = short.length > 5 && short.length === long.length && others.length === 1;
  return (
    // One letter that says a lot.
    !/^https?$/u.test(one) &&
    short[0] === long[0] &&
    long.length - short.length <= longestEnding &&
    (short === long || isMisspelled || closest(short, [long]) !== undefined)
  );
}

/** A letter of a script with spaces between words, and one of the others. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const letter = `[\\p{L}--${unspaced}]`;
/** What says how much before a number, such as `≤`, and the sign of a name behind it, such as `C++`. */
const signs = '(?:[<>≤≥≈~±]=? ?|(?<![\\p{L}\\p{N}])[+−\\-])?\\p{Sc}?(?=\\p{N})';
/** Signs that answer a question, or refer to a note below a table. */
const mark = '[✓✔✅☑☐✗✘✕❌🟢🟡🟠🔴👍👎🚫⛔*†‡]';
export const isMark = new RegExp(`^${mark}$`, 'u');
const word = new RegExp(
  `${unspaced}|(?:${signs})?[${letter}\\p{N}_]+(?:'\\p{L}+|[.\\-]\\p{N}[\\p{L}\\p{N}]*)*(?:(?:[%#]|\\+{1,2})(?![\\p{L}\\p{N}]))?|[\\-=]>|[[\\p{Sm}\\p{Sc}]--\\|]|${mark}`,
  'gv',
);
