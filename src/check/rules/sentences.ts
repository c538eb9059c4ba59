import { diffArrays } from 'diff';
import type { Block } from '../docs/page.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import {
  hasText,
  isEmptied,
  isLong,
  isRewritten,
  isSaidElsewhere,
  lostFacts,
  maxNear,
  wordsIn,
} from './match.ts';
import type { Pair } from './page-changes.ts';
import {
  closestText,
  factsIn,
  isDuty,
  isNegation,
  isNot,
  isNumber,
  keptPart,
  newItems,
  sentencesIn,
  unlikeWords,
  wordsOf,
} from './words.ts';

/** A text as it was and as it is, wherever it stands. */
type TextPair = Pick<Pair, 'old' | 'now' | 'place' | 'match' | 'isTranslation'>;

/** What a text that is still there does not say any more: a value in its row, or else sentences, facts and code, or any words of a warning. */
export function changedText(pair: TextPair): readonly RuleFinding[] {
  const { old, now, place } = pair;
  const versions = { before: old.text, after: now.text };
  if (isNewRelease(wordsIn(old), wordsIn(now))) {
    return [];
  }
  const asWhole = (what: Sentence) => [found('fact-changed', place, what, versions)];
  if (hasOtherValue(pair)) {
    return asWhole(say`A value in a table changed.`);
  }
  const sentences = changedSentences(pair);
  if (sentences.length > 0) {
    return sentences;
  }
  if (hasLostCode(pair)) {
    return asWhole(say`Code or bold words of a sentence changed.`);
  }
  const warning = warningAround(old);
  const lost = newItems(wordsOf(wordsIn(now)), wordsOf(wordsIn(old)), String);
  return warning === undefined || lost.length === 0
    ? []
    : asWhole(say`The text of a ${`<${warning.name}>`} callout changed.`);
}

/** The callout about a danger that a block stands in. */
function warningAround({ parent }: Block): Block | undefined {
  const isWarning = parent?.kind === 'callout' && /^(?:Warning|Danger)$/u.test(parent.name);
  return isWarning || parent === undefined ? parent : warningAround(parent);
}

interface Versions {
  readonly was: string;
  readonly is: string;
}

/** A sentence that is still there in other words. */
interface Reworded extends Versions {
  readonly hunks: readonly Hunk[];
  /** The sentences of its text that changed: it can have been joined with another one, or split. */
  readonly all: Versions;
}

/** A sentence that kept so much of another one's words says the same thing, or its opposite. */
const leastSame = 0.5;

function changedSentences(pair: TextPair): readonly RuleFinding[] {
  const { old, now, place } = pair;
  const [was, is] = [wordsIn(old), wordsIn(now)];
  const [before, after] = [sentencesIn(was), sentencesIn(is)];
  const [changed, near] = [newItems(after, before, String), newItems(before, after, String)];
  if (Math.max(changed.length, near.length) > maxNear) {
    return [unjudged(place, say`more than ${maxNear} sentences of one text changed`)];
  }
  // One sentence in place of one is its successor, whatever it says.
  const isAlone = changed.length === 1 && near.length === 1;
  return changed.flatMap((sentence) => {
    if (isGone(sentence, near, pair)) {
      const what = near.length === 0 ? say`A sentence is gone.` : say`A sentence was replaced.`;
      return found('removed', place, what, { before: sentence, after: near.join(' ') });
    }
    const all = { was: changed.join(' '), is: near.join(' ') };
    const successor = closestText(sentence, near, String, isAlone ? 0 : leastSame);
    const hunks = hunksOf(wordsOf(sentence), wordsOf(successor ?? ''));
    const reworded = { was: sentence, is: successor ?? '', hunks, all };
    return (
      lostFactIn(reworded, pair) ?? (successor === undefined ? [] : changedWords(reworded, pair))
    );
  });
}

/** A fact that went with the words around it, and from the section. */
function lostFactIn(
  { was: before, is, hunks, all }: Reworded,
  pair: TextPair,
): readonly RuleFinding[] | undefined {
  const lost = lostFactsOf(pair);
  const fact = lostFact(
    factsIn(before).find((one) => lost.includes(one) && !(isNot.test(one) && hasKeptNo(hunks))),
  );
  const after = is || all.is;
  return fact && [found('fact-changed', pair.place, fact, { before, after })];
}

/** Whether each negation of a sentence stayed in its place, with other words behind it. */
function hasKeptNo(hunks: readonly Hunk[]): boolean {
  return hunks.every(({ gone, came }) => !gone.some(isNegation) || came.some(isNegation));
}

/** Whether a sentence stands in place of one that it shares few words with. */
function isAnother({ was, is }: Versions): boolean {
  return keptPart(wordsOf(was), is) < leastSame;
}

/** What changed in a sentence that lost no fact. */
function changedWords(sentence: Reworded, pair: TextPair): readonly RuleFinding[] {
  const { was: before, is: after, hunks, all } = sentence;
  const fact = otherFact(sentence, pair);
  if (fact !== undefined) {
    return [found('fact-changed', pair.place, fact, { before, after })];
  }
  const clause = isAnother(sentence)
    ? undefined
    : hunks.find((hunk) => isLostClause(hunk, all.is, pair))?.gone.join(' ');
  const what = say`A part of a sentence is gone: ${clause ?? ''}.`;
  return clause === undefined ? [] : [found('removed', pair.place, what, { before, after })];
}

/** Fewer words often go where a sentence is made shorter. */
const leastClause = 4;

/** Whether words went from one place of a sentence, and stand nowhere else. */
function isLostClause({ gone, came }: Hunk, after: string, { old, match }: TextPair): boolean {
  const lost = newItems(wordsOf(after), gone, String);
  return (
    came.length === 0 &&
    lost.length >= leastClause &&
    !isSaidElsewhere({ ...old, text: gone.join(' '), targets: [] }, match)
  );
}

/** The facts that went from a text, and from its section. */
function lostFactsOf({ old, now, match }: TextPair): readonly string[] {
  const lostInSection = lostFacts(match).get(old.section);
  return newItems(factsIn(wordsIn(now)), factsIn(wordsIn(old)), String).filter((fact) =>
    lostInSection?.has(fact),
  );
}

/** Whether most of a sentence of prose is gone from its text and from the section, and no new one stands for it. */
function isGone(sentence: string, near: readonly string[], { old, now, match }: TextPair): boolean {
  return (
    hasText(old) &&
    !isEmptied(old, now) &&
    isLong(sentence) &&
    keptPart(wordsOf(sentence), now.text) < leastSame &&
    !near.some((one) => isRewritten(sentence, one)) &&
    !isSaidElsewhere({ ...old, text: sentence, targets: [] }, match)
  );
}

/** A sentence with more new words says more, not the opposite. */
const maxGained = 5;

function lostFact(fact: string | undefined): Sentence | undefined {
  if (fact === undefined) {
    return undefined;
  }
  if (isNot.test(fact)) {
    return say`A negation is gone.`;
  }
  return isDuty.test(fact) ? say`${fact} is gone.` : otherNumber(fact);
}

function otherNumber(fact: string): Sentence {
  return say`A number, its unit or a frequency changed: ${fact}.`;
}

/** What turns a sentence around: a negation, a duty, or other words in place of some. */
function otherFact(sentence: Reworded, { isTranslation }: TextPair): Sentence | undefined {
  const { hunks, all } = sentence;
  const gained = newItems(wordsOf(sentence.was), wordsOf(sentence.is), String);
  const [turn] = newItems(turnsIn(all.was), turnsIn(sentence.is), String);
  if (turn !== undefined && gained.length <= maxGained) {
    return turn === 'not' ? say`A negation is new.` : say`${turn} is new.`;
  }
  const numbers = new Set(gained.filter(isNumber));
  return hunks
    .filter(({ gone, came }) => gone.length > 0 && came.length > 0)
    .map(
      (hunk) =>
        otherValue(hunk, numbers) ??
        (isTranslation || isAnother(sentence) ? undefined : otherWords(hunk, all)),
    )
    .find((one) => one !== undefined);
}

/** The negations and the duties of a sentence. */
function turnsIn(sentence: string): readonly string[] {
  return factsIn(sentence)
    .map((fact) => (isNot.test(fact) ? 'not' : fact))
    .filter((fact) => fact === 'not' || isDuty.test(fact));
}

/** A number in place of another one, or of words. */
function otherValue({ gone, came }: Hunk, numbers: ReadonlySet<string>): Sentence | undefined {
  const replaced = came.some(isNumber) ? gone.find(isNumber) : undefined;
  const value = replaced ?? came.find((word) => numbers.has(word));
  return value === undefined ? undefined : otherNumber(value);
}

/** More words in place of others say the same in another way. */
const maxReplaced = 2;

/** A word in place of another one, such as a name, a plan or the opposite, if neither stands elsewhere in the text. */
function otherWords({ gone, came }: Hunk, { was, is }: Versions): Sentence | undefined {
  const lost = newItems(wordsOf(is), gone, String);
  const added = newItems(wordsOf(was), came, String);
  const counts = [unlikeWords(lost, added), unlikeWords(added, lost)].map(({ length }) => length);
  const isOther = counts.every((count) => count > 0 && count <= maxReplaced);
  return isOther && gone.join('') !== came.join('')
    ? say`${came.join(' ')} stands in place of ${gone.join(' ')}.`
    : undefined;
}

/** More than that is another sentence; to find them would take long. */
const maxEdits = 200;

/** The words that went at one place of a sentence, and those that came there. */
interface Hunk {
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

function hunksOf(was: readonly string[], is: readonly string[]): readonly Hunk[] {
  const parts = diffArrays([...was], [...is], { maxEditLength: maxEdits });
  if (parts === undefined) {
    return [{ gone: was, came: is }];
  }
  return parts.map(({ value, added, removed }, index) => ({
    gone: removed ? value : [],
    came: added ? value : (removed && parts[index + 1]?.added && parts[index + 1]?.value) || [],
  }));
}

/** Whether a label that is nothing but a version, such as `v1.4.9`, names a later one now. */
function isNewRelease(before: string, after: string): boolean {
  const areReleases = [before, after].every((text) => /^v?\d+\.\d+\.\d+[,;]?$/u.test(text));
  return areReleases && before.localeCompare(after, 'en', { numeric: true }) < 0;
}

/** A cell with more words describes something, and is no value. */
const maxValueWords = 3;

/** Whether a row of a table lost a value, such as `Pro`, `string` or `✓`. */
function hasOtherValue({ old, now }: TextPair): boolean {
  const [was, is] = [cellsOf(old), cellsOf(now)];
  const isValue = (cell: string) =>
    /[^\s\p{Pd}]/u.test(cell) && wordsOf(cell).length <= maxValueWords;
  return (
    old.kind === 'row' &&
    is.length <= was.length &&
    was.some((cell, index) => isValue(cell) && !hasKept(cell, is[index] ?? ''))
  );
}

/** Whether a value is still there, such as `A, B` in `A, B, C`, with its mark. A symbol has no words. */
function hasKept(value: string, cell: string): boolean {
  const words = wordsOf(value);
  const [mark] = /[*†‡\p{So}]/u.exec(value) ?? [''];
  const hasWords = words.length > 0 && keptPart(words, cell) === 1;
  return cell.includes(value) || (hasWords && cell.includes(mark));
}

/** The cells of a row but the first one, which says what the row is about; `1,000` and `e-mail` as `1000` and `email`. */
function cellsOf({ text }: Block): readonly string[] {
  const [, ...cells] = text.toLowerCase().split('|');
  return cells.map((cell) => cell.trim().replace(/(?<=\w)[,-](?=\w)/gu, ''));
}

/** Whether a text lost code, bold or quoted words. What is code no more is still there. */
function hasLostCode({ old, now }: TextPair): boolean {
  const lost = new Set(newItems(wordsOf(now.text), wordsOf(old.text), String));
  return (
    wordsIn(old) !== '' &&
    newItems(now.codes, old.codes, String).some(
      (one) =>
        (!isLabel.test(one) && !isWholeIn(now.text, one)) ||
        wordsOf(one).some((word) => lost.has(word)),
    )
  );
}

/** Several words, such as those of a button. In code, signs and capitals count. */
const isLabel = /^[\p{L}\p{N}'’]+(?: [\p{L}\p{N}'’]+)+$/u;

/** Whether a text has a name, and not only a longer one: `X-Token` is another one than `Token`. */
function isWholeIn(text: string, name: string): boolean {
  const parts = ` ${text} `.split(name);
  return parts.some(
    (part, index) =>
      index > 0 && !/[\w./@-]$/u.test(parts[index - 1] ?? '') && !/^[\w/-]/u.test(part),
  );
}
