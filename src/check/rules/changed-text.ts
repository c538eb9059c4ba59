import { diffArrays } from 'diff';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { isLeadIn, isRewritten, isSaidElsewhere, lostFacts, wordsIn } from './match.ts';
import type { Pair } from './page-changes.ts';
import {
  asWritten,
  factsIn,
  isMark,
  isNegation,
  isNumber,
  isSign,
  keptPart,
  newItems,
  sentencesIn,
  signedWordsOf,
  turnsIn,
  unlikeWords,
  wordsOf,
} from './words.ts';

/** A text as it was and as it is, wherever it stands. */
type TextPair = Pick<Pair, 'old' | 'now' | 'place' | 'match' | 'mayBeReworded'>;

/** What a text that is still there does not say any more: a part of it, a fact, or a word that became another one. */
export function changedText(pair: TextPair): readonly RuleFinding[] {
  const { old, now, place } = pair;
  const [was, is] = [wordsIn(old), wordsIn(now)];
  const hunks = hunksOf(signedWordsOf(was), signedWordsOf(is));
  if (hunks === undefined) {
    return [unjudged(place, say`more words of a text changed than can be compared`)];
  }
  const [before, after] = [sentencesIn(was), sentencesIn(is)];
  const versions = {
    before: newItems(after, before, String).join(' '),
    after: newItems(before, after, String).join(' '),
  };
  const lost = hunks.find((hunk) => isLostPart(hunk, was, is, pair));
  if (lost !== undefined) {
    return [found('removed', place, say`${asWritten(lost.gone, was)} is gone.`, versions)];
  }
  const cell = old.kind === 'row' ? otherCell(was, is) : undefined;
  const fact = cell ?? changedFact(hunks, versions, pair);
  return fact === undefined ? [] : [found('fact-changed', place, fact, versions)];
}

/** @param versions the sentences that changed */
function changedFact(
  hunks: readonly Hunk[],
  versions: Readonly<Record<'before' | 'after', string>>,
  pair: TextPair,
): Sentence | undefined {
  const [was, is] = [wordsIn(pair.old), wordsIn(pair.now)];
  const words = wordsOf(versions.before);
  const isReworded = words.length > maxReplaced && keptPart(words, versions.after) < leastSame;
  const start = isReworded && words.length >= leastReplaced ? say`A text was rewritten. ` : [];
  const event = lostFact(hunks, pair) ?? newTurn(hunks, was, is);
  const hunk =
    otherValue(hunks) ??
    (event ? undefined : otherWords(hunks, versions, isReworded || pair.mayBeReworded));
  if (hunk !== undefined) {
    return inPlaceOf(asWritten(hunk.came, is), asWritten(hunk.gone, was));
  }
  const [one, ...others] = hunks;
  return event === undefined && one !== undefined && others.length === 0 && isLostAlternative(one)
    ? say`${asWritten(one.gone, was)} is gone.`
    : event && [...start, ...event];
}

/** Whether one of several things is named no more, such as `admins or`. */
function isLostAlternative({ gone, came }: Hunk): boolean {
  const named = gone.filter((word) => !/^(?:or|and)$/u.test(word));
  return came.length === 0 && named.length < gone.length && unlikeWords(named, []).length > 0;
}

/** The words that went at one place of a text, and those that came there. */
interface Hunk {
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

/** More than that is another text; to find them would take long. */
const maxEdits = 400;

/** So few words that stay between two changes make them one. */
const maxBetween = 2;

/** `undefined` if too much changed. */
function hunksOf(was: readonly string[], is: readonly string[]): readonly Hunk[] | undefined {
  const parts = diffArrays([...was], [...is], { maxEditLength: maxEdits });
  const groups: (typeof parts & object)[] = [[]];
  for (const part of parts ?? []) {
    const isBetween = part !== parts?.[0] && part !== parts?.at(-1);
    if (part.added || part.removed || (isBetween && part.value.length <= maxBetween)) {
      groups.at(-1)?.push(part);
    } else {
      groups.push([]);
    }
  }
  const hunks = groups.map((group) => ({
    gone: group.filter(({ added }) => !added).flatMap(({ value }) => value),
    came: group.filter(({ removed }) => !removed).flatMap(({ value }) => value),
  }));
  return parts && hunks.filter(({ gone, came }) => gone.join(' ') !== came.join(' '));
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

/** A negation or an answer that went from a text, or another fact that its section lost, too. */
function lostFact(hunks: readonly Hunk[], { old, now, match }: TextPair): Sentence | undefined {
  const lost = lostFacts(match).get(old.section);
  const [was, is] = [wordsIn(old), wordsIn(now)];
  for (const hunk of hunks) {
    const [answer] = newItems(answersIn(hunk.came), answersIn(hunk.gone), String);
    if (answer !== undefined) {
      const event = answer === 'not' ? say`A negation is gone.` : say`${answer} is gone.`;
      return replacedIn(hunk, was, is) ?? event;
    }
  }
  const fact = newItems(factsIn(is), factsIn(was), String).find(
    (one) => one !== 'not' && lost?.has(one),
  );
  if (fact !== undefined) {
    const hunk = hunks.find(({ gone }) => factsIn(gone.join(' ')).includes(fact));
    return replacedIn(hunk, was, is) ?? say`${asWritten(signedWordsOf(fact), was)} is gone.`;
  }
  const newCodes = newItems(old.codes, now.codes, String);
  // `git push` is not what `git push --force` is.
  const added = newCodes.join('\n');
  const codes = newItems(now.codes, old.codes, String).filter(
    (one) => lost?.has(one) && (added.includes(one) || !isWholeIn(now.text, one)),
  );
  const [[code], [newCode]] = [codes, newCodes];
  if (code !== undefined && newCode !== undefined && codes.length === newCodes.length) {
    return inPlaceOf(newCode, code);
  }
  return code === undefined ? undefined : say`${code} is gone.`;
}

/** The negations, each as `not`, and the signs that answer a question. */
function answersIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => (isNegation.test(word) ? 'not' : isMark.test(word) ? word : []));
}

/** A few words that stand in place of others. */
function replacedIn(hunk: Hunk | undefined, was: string, is: string): Sentence | undefined {
  const { gone = [], came = [] } = hunk ?? {};
  const isShort = gone.length > 0 && came.length > 0 && gone.length + came.length <= maxShown;
  return isShort ? inPlaceOf(asWritten(came, is), asWritten(gone, was)) : undefined;
}

function inPlaceOf(now: string, before: string): Sentence {
  return say`${now} stands in place of ${before}.`;
}

/** Whether a text has a name, and not only a longer one: `X-Token` is another one than `Token`. */
function isWholeIn(text: string, name: string): boolean {
  const [before = '', ...parts] = ` ${text} `.split(name);
  return parts.some((part) => !/^[\w/-]/u.test(part)) && !/[\w./@-]$/u.test(before);
}

/** What comes with more new words says more, not the opposite. */
const maxGained = 5;

/** More words are read in the text itself. */
const maxShown = 6;

/** A negation or a duty that turns a text around. */
function newTurn(hunks: readonly Hunk[], was: string, is: string): Sentence | undefined {
  const [turn] = newItems(turnsIn(was), turnsIn(is), String);
  const hunk = hunks.find(
    ({ gone, came }) =>
      newItems(gone, came, String).length <= maxGained &&
      turnsIn(came.join(' ')).includes(turn ?? ''),
  );
  if (turn === undefined || hunk === undefined) {
    return undefined;
  }
  const event = turn === 'not' ? say`A negation is new.` : say`${turn} is new.`;
  return replacedIn(hunk, was, is) ?? event;
}

/** A cell with more words is a text. */
const maxInCell = 3;

/** A short cell of a row that says something else, or that was empty. */
function otherCell(was: string, is: string): Sentence | undefined {
  const [cells = [], others = []] = [was, is].map((row) =>
    row.split('|').map((cell) => cell.trim()),
  );
  if (cells.length !== others.length) {
    return undefined;
  }
  const isShort = (cell = '') => wordsOf(cell).length <= maxInCell;
  // Signs are compared with the rest of the text.
  const lettersOf = (cell = '') => cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isSame = (cell: string, other = '') =>
    cell === other || (/\w/u.test(cell) && lettersOf(cell) === lettersOf(other));
  const index = cells.findIndex(
    (cell, at) => !isSame(cell, others[at]) && isShort(cell) && isShort(others[at]),
  );
  const [before, after] = [cells[index], others[index]];
  if (before === undefined || after === undefined) {
    return undefined;
  }
  if (after === '') {
    return say`${before} is gone.`;
  }
  return before === '' ? say`${after} is new.` : inPlaceOf(after, before);
}

/** More words in place of others say the same in another way. */
const maxReplaced = 2;

/** A text that keeps less of its words says the same in other ones. */
const leastSame = 0.5;

/** Another number or sign in place of one; beside new ones, the old one may stand there, too. */
function otherValue(hunks: readonly Hunk[]): Hunk | undefined {
  const values = [isNumber, isSign].flatMap((kind) => {
    const ofKind = (words: readonly string[]) => words.filter((word) => kind.test(word));
    return hunks.map(({ gone, came }) => ({ gone: ofKind(gone), came: ofKind(came) }));
  });
  return values.flatMap(({ gone, came }) => {
    const [[value], [other]] = [gone, came];
    const isThere = gone.length < came.length && came.some((one) => one === value);
    return value && other && value !== other && !isThere ? { gone: [value], came: [other] } : [];
  })[0];
}

/** A word or two in place of others, such as a name, a plan or the opposite. */
function otherWords(
  hunks: readonly Hunk[],
  { before, after }: { readonly before: string; readonly after: string },
  isReworded: boolean,
): Hunk | undefined {
  return hunks.find(({ gone, came }) => {
    // What stands elsewhere in the text has moved.
    const was = newItems(signedWordsOf(after), gone, String);
    const is = newItems(signedWordsOf(before), came, String);
    const isFew = ({ length }: readonly string[]) => length > 0 && length <= maxReplaced;
    const isNumbered = is.some((word) => isNumber.test(word));
    const isOther = !isReworded && isFew(unlikeWords(is, was)) && isFew(unlikeWords(was, is));
    return was.length > 0 && (isNumbered || isOther) && gone.join('') !== came.join('');
  });
}
