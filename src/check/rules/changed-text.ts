import { diffArrays } from 'diff';
import type { Block } from '../docs/page.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { isLeadIn, isRewritten, isSaidElsewhere, lostFacts, wordsIn } from './match.ts';
import type { Pair } from './page-changes.ts';
import {
  factsIn,
  isDuty,
  isNegation,
  isNot,
  isNumber,
  keptPart,
  newItems,
  sentencesIn,
  textBetween,
  unlikeWords,
  wordsOf,
} from './words.ts';

/** A text as it was and as it is, wherever it stands. */
type TextPair = Pick<Pair, 'old' | 'now' | 'place' | 'match' | 'isTranslation'>;

/** What a text that is still there does not say any more: a part of it, a fact, or a word that became another one. */
export function changedText(pair: TextPair): readonly RuleFinding[] {
  const { old, now, place } = pair;
  const [was, is] = [wordsIn(old), wordsIn(now)];
  const hunks = hunksOf(was, is);
  if (hunks === undefined) {
    return [unjudged(place, say`more words of a text changed than can be compared`)];
  }
  const [before, after] = [sentencesIn(was), sentencesIn(is)];
  const versions = {
    before: newItems(after, before, String).join(' '),
    after: newItems(before, after, String).join(' '),
  };
  if (hunks.some((hunk) => isLostPart(hunk, was, is, pair))) {
    return [found('removed', place, say`A part of a text is gone.`, versions)];
  }
  const words = wordsOf(versions.before);
  const isReworded = keptPart(words, versions.after) < leastSame;
  const texts = { was, is, ...versions, isReworded: isReworded || pair.isTranslation };
  const event = lostFact(hunks, pair) ?? newTurn(hunks, texts);
  const start = isReworded && words.length >= leastReplaced ? say`A text was rewritten. ` : [];
  const fact =
    otherNumber(hunks, texts) ?? (event && [...start, ...event]) ?? otherWords(hunks, texts);
  return fact === undefined ? [] : [found('fact-changed', place, fact, versions)];
}

interface Texts {
  readonly was: string;
  readonly is: string;
  /** The sentences of both that the other one lacks. */
  readonly before: string;
  readonly after: string;
  /** Whether few words stayed, or none of them is known. */
  readonly isReworded: boolean;
}

/** The words that went at one place of a text, and those that came there. */
interface Hunk {
  readonly gone: readonly string[];
  readonly came: readonly string[];
  /** How many words stand before them. */
  readonly at: { readonly was: number; readonly is: number };
}

/** More than that is another text; to find them would take long. */
const maxEdits = 400;

/** So few words that stay between two changes make them one. */
const maxBetween = 2;

/** `undefined` if too much changed. */
function hunksOf(was: string, is: string): readonly Hunk[] | undefined {
  const parts = diffArrays([...wordsOf(was)], [...wordsOf(is)], { maxEditLength: maxEdits });
  if (parts === undefined) {
    return undefined;
  }
  const groups: (typeof parts)[] = [[]];
  for (const [index, part] of parts.entries()) {
    const isBetween = index > 0 && index < parts.length - 1 && part.value.length <= maxBetween;
    if (part.added || part.removed || isBetween) {
      groups.at(-1)?.push(part);
    } else {
      groups.push([part], []);
    }
  }
  let at = { was: 0, is: 0 };
  const hunks = groups.map((group) => {
    const gone = group.filter(({ added }) => !added).flatMap(({ value }) => value);
    const came = group.filter(({ removed }) => !removed).flatMap(({ value }) => value);
    const hunk = { gone, came, at };
    at = { was: at.was + gone.length, is: at.is + came.length };
    return hunk;
  });
  return hunks.filter(({ gone, came }) => gone.join(' ') !== came.join(' '));
}

/** Fewer words often go where a text is made shorter, or is rewritten. */
const leastGone = 4;
const leastReplaced = 8;

/** Whether a part of a text went, and stands nowhere else. */
function isLostPart({ gone, came }: Hunk, was: string, is: string, pair: TextPair): boolean {
  const { old, match } = pair;
  const text = gone.join(' ');
  return (
    !(isLeadIn(was) && isLeadIn(is)) &&
    newItems(wordsOf(is), gone, String).length >= leastGone &&
    (came.length === 0 || gone.length >= leastReplaced) &&
    !isRewritten(text, came.join(' ')) &&
    !isSaidElsewhere({ ...old, text, targets: [], codes: [] }, match)
  );
}

/** A fact that went from a text, and from its section. */
function lostFact(hunks: readonly Hunk[], { old, now, match }: TextPair): Sentence | undefined {
  const lost = lostFacts(match).get(old.section);
  const negationsIn = (words: readonly string[]) => words.filter(isNegation).length;
  const keepsNo = hunks.every(({ gone, came }) => negationsIn(gone) <= negationsIn(came));
  const fact = newItems(factsIn(wordsIn(now)), factsIn(wordsIn(old)), String).find(
    (one) => lost?.has(one) && !(keepsNo && isNot.test(one)),
  );
  const code = newItems(now.codes, old.codes, String).find(
    (one) => lost?.has(one) && !isInProse(one, now),
  );
  if (fact !== undefined) {
    return isNot.test(fact) ? say`A negation is gone.` : say`${fact} is gone.`;
  }
  return code === undefined ? undefined : say`${code} is gone.`;
}

/** Whether a text says it without marking it as code: `git push` is not what `git push --force` is. */
function isInProse(code: string, { text, codes }: Block): boolean {
  const prose = codes.reduce((rest, other) => rest.replace(other, ' '), text);
  return ` ${wordsOf(prose).join(' ')} `.includes(` ${wordsOf(code).join(' ')} `);
}

/** What comes with more new words says more, not the opposite. */
const maxGained = 5;

/** A negation or a duty that turns a text around. */
function newTurn(hunks: readonly Hunk[], { was, is }: Texts): Sentence | undefined {
  const [turn] = newItems(turnsIn(was), turnsIn(is), String);
  const isAlone = hunks.some(
    ({ gone, came }) =>
      newItems(gone, came, String).length <= maxGained &&
      turnsIn(came.join(' ')).includes(turn ?? ''),
  );
  if (turn === undefined || !isAlone) {
    return undefined;
  }
  return turn === 'not' ? say`A negation is new.` : say`${turn} is new.`;
}

/** The negations and the duties of a text. */
function turnsIn(text: string): readonly string[] {
  return factsIn(text)
    .map((fact) => (isNot.test(fact) ? 'not' : fact))
    .filter((fact) => fact === 'not' || isDuty.test(fact));
}

/** More words in place of others say the same in another way. */
const maxReplaced = 2;

/** A text that keeps less of its words says the same in other ones. */
const leastSame = 0.5;

/** Another number in place of one. */
function otherNumber(hunks: readonly Hunk[], texts: Texts): Sentence | undefined {
  const [hunk] = hunks.flatMap(({ gone, came, at }) => {
    const [from, to] = [gone.findIndex(isNumber), came.findIndex(isNumber)];
    const number = { gone: gone.slice(from, from + 1), came: came.slice(to, to + 1) };
    const isOther = from !== -1 && to !== -1 && gone[from] !== came[to];
    return isOther ? { ...number, at: { was: at.was + from, is: at.is + to } } : [];
  });
  return hunk && inPlace(hunk, texts);
}

/** A word or two in place of others, such as a name, a plan or the opposite. */
function otherWords(hunks: readonly Hunk[], texts: Texts): Sentence | undefined {
  const { before, after, isReworded } = texts;
  const hunk = hunks.find(({ gone, came }) => {
    // What stands elsewhere in the text has moved.
    const lost = newItems(wordsOf(after), gone, String);
    const added = newItems(wordsOf(before), came, String);
    const isValue = added.some(isNumber) || (!isReworded && isFew(added, lost));
    return isValue && isFew(lost, added) && gone.join('') !== came.join('');
  });
  return hunk && inPlace(hunk, texts);
}

function inPlace({ gone, came, at }: Hunk, { was, is }: Texts): Sentence {
  const now = textBetween(is, at.is, at.is + came.length);
  return say`${now} stands in place of ${textBetween(was, at.was, at.was + gone.length)}.`;
}

function isFew(words: readonly string[], others: readonly string[]): boolean {
  const { length } = unlikeWords(words, others);
  return length > 0 && length <= maxReplaced;
}
