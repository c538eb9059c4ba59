import type { Change, DocsVersion } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import type { Block, BlockKind } from '../docs/page.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { hasText, lostFacts, type Match, maxNear, wordsIn } from './match.ts';
import { isShown, type Pair, pairsIn, pathBefore } from './page-changes.ts';
import { cutTables, isGoneSentence, leastSame } from './removed.ts';
import { closestText, factsIn, isDuty, keptPart, newItems, sentencesIn, wordsOf } from './text.ts';

/** Existing sentences that say something else now: another number, the opposite, no duty, other code, another link. */
export function factChanged(change: Change): readonly RuleFinding[] {
  // What stood in a column that is gone went with it.
  const cut = cutTables(change);
  const isCut = ({ kind, parent }: Block) => kind === 'row' && cut.has(parent);
  const shown = pairsIn(change).filter(({ file }) => isShown(change.before, pathBefore(file)));
  const changed = shown
    .filter(({ old, now }) => saidBy(old) !== saidBy(now) && !isCut(old))
    .flatMap((pair) => {
      const words = changedWords(pair);
      // That a link went with its words is the same event.
      const isEvent = ({ after }: RuleFinding) => words.length === 0 || after !== '';
      return [...words, ...changedTargets(pair, change).filter(isEvent)];
    });
  return [...changed, ...reordered(shown), ...moved(shown)];
}

/** Things whose order says something. Rows and parameters are looked up by their names. */
const ordered: Partial<Readonly<Record<BlockKind, string>>> = {
  step: 'Steps',
  'list-item': 'List items',
  column: 'Columns',
  picture: 'Pictures',
  sample: 'Samples',
};

/** What is still there beside the same others, in another order. */
function reordered(pairs: readonly Pair[]): readonly RuleFinding[] {
  const placeOf = ({ kind, parent, section }: Block) => `${kind} ${parent?.line} ${section?.line}`;
  const lists = Map.groupBy(
    pairs.filter(({ old }) => old.kind in ordered),
    ({ file, old, now }) => `${file.path} ${placeOf(old)} ${placeOf(now)}`,
  );
  return [...lists.values()].flatMap((was) => {
    const is = was.toSorted((one, other) => one.index - other.index);
    const first = is.find((pair, index) => pair !== was[index]);
    const textOf = (order: readonly Pair[]) => order.map(({ now }) => now.text).join('\n');
    const versions = { before: textOf(was), after: textOf(is) };
    if (first === undefined) {
      return [];
    }
    const what = say`${[ordered[first.old.kind] ?? '']} changed places.`;
    return found('fact-changed', first.place, what, versions);
  });
}

/** What went from one heading or component to another one, and both were there before: an answer to another question. */
function moved(pairs: readonly Pair[]): readonly RuleFinding[] {
  const ways = Map.groupBy(
    pairs.filter(hasMoved),
    ({ file, old, now }) => `${file.path}\n${holderOf(old)}\n${holderOf(now)}`,
  );
  return [...ways.values()].flatMap(([first, ...others]) => {
    if (first === undefined || holderOf(first.old) === holderOf(first.now)) {
      return [];
    }
    const { old, now, place } = first;
    const what = say`Text moved from ${holderOf(old)} to ${holderOf(now)}.`;
    const text = [first, ...others].map((pair) => pair.now.text).join('\n');
    return found('fact-changed', place, what, { before: text });
  });
}

function hasMoved({ old, now, match }: Pair): boolean {
  const isOther = (was: Block | undefined, is: Block | undefined) =>
    (was === undefined || match.pairs.has(was)) &&
    (is === undefined || stillThere(match).has(is)) &&
    (was && match.pairs.get(was)) !== is;
  const hasWords = old.kind !== 'section' && wordsOf(old.text).length > 0;
  return hasWords && (isOther(old.parent, now.parent) || isOther(old.section, now.section));
}

const stillThere = oncePer((match: Match) => new Set(match.pairs.values()));

/** What a block stands in or below, as readers know it. */
function holderOf({ parent, section }: Block): string {
  return parent?.title || section?.text || 'the top of the page';
}

/** A text as it was and as it is, wherever it stands. */
type TextPair = Pick<Pair, 'old' | 'now' | 'place' | 'match'>;

/** The values in a row, or else the facts in sentences, or else what changed in a text as a whole. */
export function changedWords(pair: TextPair): readonly RuleFinding[] {
  const { old, now, place } = pair;
  const versions = { before: old.text, after: now.text };
  const asWhole = (what: Sentence) => [found('fact-changed', place, what, versions)];
  if (hasOtherValue(pair)) {
    return asWhole(say`A value in a table changed.`);
  }
  const sentences = changedSentences(pair);
  if (sentences.length > 0) {
    return sentences;
  }
  return hasOtherCode(pair) ? asWhole(say`Code in a sentence changed.`) : [];
}

/** What can have changed in a block itself, and not in what stands in it. */
function saidBy(block: Block): string {
  return [wordsIn(block), ...block.targets].join('\n');
}

function changedSentences({ old, now, place, match }: TextPair): readonly RuleFinding[] {
  const [was, is] = [wordsIn(old), wordsIn(now)];
  if (isNewRelease(was, is)) {
    return [];
  }
  const lostInSection = lostFacts(match).get(old.section);
  const lost = newItems(factsIn(is), factsIn(was), String).filter((fact) =>
    lostInSection?.has(fact),
  );
  const codes = new Set(wordsOf([...old.codes, ...now.codes].join(' ')));
  const [before, after] = [sentencesIn(was), sentencesIn(is)];
  const near = newItems(before, after, String).slice(0, maxNear);
  const changed = newItems(after, before, String).slice(0, maxNear);
  return changed.flatMap((sentence) => {
    const successor = closestText(sentence, near, String, leastSame);
    const fact =
      factsIn(sentence).find((one) => lost.includes(one)) ??
      (successor &&
        (otherValue(sentence, successor, codes) ??
          gainedFact(sentence, successor) ??
          (isShuffled(sentence, successor) ? shuffled : undefined)));
    // The rule about what is gone has a whole sentence.
    return fact === undefined || isGoneSentence(sentence, old, now, match)
      ? []
      : found('fact-changed', place, whatChanged(fact, codes), {
          before: sentence,
          after: successor ?? near.join(' '),
        });
  });
}

/** The first of the values that changed, where nothing else did: two numbers or two options can change places. */
function otherValue(before: string, after: string, codes: ReadonlySet<string>): string | undefined {
  const [was, is] = [before, after].map((text) => wordsOf(text));
  const frameOf = (words: readonly string[] = []) =>
    words.map((word) => (codes.has(word) || isNumber(word) ? '' : word)).join(' ');
  return frameOf(was) === frameOf(is)
    ? was?.find((word, index) => word !== is?.[index])
    : undefined;
}

/** The fact that words of a sentence changed places, such as two buttons. */
const shuffled = ' ';

function isShuffled(before: string, after: string): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  return was.join(' ') !== is.join(' ') && was.toSorted().join(' ') === is.toSorted().join(' ');
}

/** What turns a sentence around, in place of other words. One that gains more words says more, not the opposite. */
function gainedFact(before: string, after: string): string | undefined {
  if (isLonger(before, after)) {
    return undefined;
  }
  const gained = newItems(factsIn(before), factsIn(after), String);
  const [was, is] = [before, after].map((text) => wordsOf(text));
  const hasLost = newItems(is ?? [], was ?? [], String).length > 0;
  return (
    gained.find((one) => one === 'not' || isDuty.test(one)) ??
    (hasLost ? newItems(was ?? [], is ?? [], String).find(isNumber) : undefined)
  );
}

/** Such as `30` or `5min`, and no name with a number in it. */
function isNumber(word: string): boolean {
  return /^\p{N}/u.test(word);
}

/** Whether a label that is nothing but a version, such as `v1.4.9`, names a later one now. */
function isNewRelease(before: string, after: string): boolean {
  const areReleases = [before, after].every((text) => /^v?\d+\.\d+\.\d+[,;]?$/u.test(text));
  return areReleases && before.localeCompare(after, 'en', { numeric: true }) < 0;
}

/** A text that gains more words is more than another wording. */
const maxGained = 5;

function isLonger(before: string, after: string): boolean {
  return newItems(wordsOf(before), wordsOf(after), String).length > maxGained;
}

function whatChanged(fact: string, codes: ReadonlySet<string>): Sentence {
  if (fact === 'not') {
    return say`A “not” or another negation was added, changed or removed.`;
  }
  if (fact === shuffled) {
    return say`Words of a sentence changed places.`;
  }
  if (isDuty.test(fact)) {
    return say`A “must”, “only” or “required” was added, changed or removed.`;
  }
  return codes.has(fact)
    ? say`Code in a sentence changed.`
    : say`A number, its unit or a frequency changed.`;
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
    was.length === is.length &&
    was.some((cell, index) => isValue(cell) && !hasKept(cell, is[index] ?? ''))
  );
}

/** Whether a value is still there, such as `A, B` in `A, B, C`. A symbol has no words. */
function hasKept(value: string, cell: string): boolean {
  const words = wordsOf(value);
  return cell.includes(value) || (words.length > 0 && keptPart(words, cell) === 1);
}

/** The cells of a row but the first one, which says what the row is about; `1,000` and `e-mail` as `1000` and `email`. */
function cellsOf({ text }: Block): readonly string[] {
  const [, ...cells] = text.toLowerCase().split('|');
  return cells.map((cell) => cell.trim().replace(/(?<=\w)[,-](?=\w)/gu, ''));
}

/** Whether code changed in a text that stays otherwise much the same. */
function hasOtherCode({ old, now }: TextPair): boolean {
  const gone = newItems(now.codes, old.codes, String).filter((one) => !now.text.includes(one));
  const added = newItems(old.codes, now.codes, String).filter((one) => !old.text.includes(one));
  return hasText(old) && gone.length > 0 && added.length > 0 && !isLonger(old.text, now.text);
}

/** Links that lead to another place; a page that moved is the same place. */
function changedTargets(
  { old, now, file, place }: Pair,
  { before, after, files }: Change,
): readonly RuleFinding[] {
  const renamed = new Map(files.map((one) => [pathBefore(one), one.path]));
  const was = linksIn(old, pathBefore(file), before)
    .filter(({ isAlive }) => isAlive)
    .map((link) => ({ ...link, end: renamed.get(link.end) ?? link.end }));
  const is = linksIn(now, file.path, after);
  // Under the same words, links can also have changed places.
  const inOrder = old.text === now.text && was.length === is.length;
  const missingIn = (others: typeof is, links: typeof is) =>
    inOrder
      ? links.filter(({ end }, index) => end !== others[index]?.end)
      : newItems(others, links, ({ end }) => end);
  const [gone, added] = [missingIn(is, was), missingIn(was, is)];
  const [from, to] = [gone, added].map((links) => links.map(({ target }) => target).join('\n'));
  const what = to === '' ? say`A link is gone.` : say`A link leads to another place.`;
  return gone.length === 0 ? [] : [found('fact-changed', place, what, { before: from, after: to })];
}

/** The links of a block. Each ends at a file, wherever in it; one to another site at its host. */
function linksIn({ targets }: Block, from: string, version: DocsVersion) {
  return targets.map((target) => {
    const { kind, ...end } = linksOf(version).resolve(target, from);
    const host = URL.parse(target)?.host ?? target.replace(/#.*$/u, '').replace(/\/$/u, '');
    return { target, isAlive: kind !== 'nowhere', end: 'file' in end ? end.file : host };
  });
}

/** Samples of which a line changed or went. A sample that went is `removed`. */
export function sampleChanged(change: Change): readonly RuleFinding[] {
  return changedSamples(change).flatMap(({ gone, added, place }) => {
    const [before, after] = [gone.join('\n'), added.join('\n')];
    const what = after === '' ? say`A part of a sample is gone.` : say`A sample changed.`;
    return before === '' ? [] : found('sample-changed', place, what, { before, after });
  });
}

/** How many lines samples have gained. */
export function newSampleLines(change: Change): number {
  return changedSamples(change).reduce((sum, { added }) => sum + added.length, 0);
}

/** The lines that came to samples and went from them, or all of them if they changed places. */
function changedSamples(change: Change) {
  return pairsIn(change)
    .filter(({ old }) => old.kind === 'sample')
    .map(({ old, now, place }) => {
      const [was, is] = [sampleLines(old.text), sampleLines(now.text)];
      const [gone, added] = [newItems(is, was, plain), newItems(was, is, plain)];
      const kept = newItems(added, is, plain).map(plain).join('\n');
      const isInOrder = gone.length > 0 || kept === was.map(plain).join('\n');
      return isInOrder ? { gone, added, place } : { gone: was, added: is, place };
    });
}

/** Nobody runs an empty line or a comment, be it on its own or behind code without quotes. */
function sampleLines(text: string): readonly string[] {
  return text
    .split(/\r?\n|\r/u)
    .map((line) => line.replace(/^([^"'`]*?)(?:^|\s)(?:#|\/\/)(?:\s.*)?$/u, '$1'))
    .filter((line) => !/^\s*(?:--(?:\s.*)?)?$/u.test(line));
}

/** Without indentation, and without the comma that an item gets when another one follows it. */
function plain(line: string): string {
  return line.trim().replace(/,$/u, '');
}
