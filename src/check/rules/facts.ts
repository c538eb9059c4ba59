import type { Change, DocsVersion } from '../change.ts';
import { type LinkEnd, linksOf } from '../docs/links.ts';
import type { Block } from '../docs/page.ts';
import { found, type RuleFinding, type Versions } from '../finding.ts';
import { clause, type Sentence, say } from '../sentence.ts';
import { keptPart, type Match, newItems, wordsOf } from './match.ts';
import { type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';

/** A sentence that kept so much of another one's words says the same thing, or its opposite. */
const leastKept = 0.5;

/** Existing sentences that say something else now: another number, the opposite, no duty, another link. */
export function factChanged(change: Change): readonly RuleFinding[] {
  return pageChangesOf(change).flatMap((page) => {
    const { match, file } = page;
    const pairs = [...(match?.pairs ?? [])].filter(([{ kind }]) => isProse(kind));
    const lost = match === undefined ? undefined : lostFacts(match);
    return pairs.flatMap(([old, now]) =>
      [
        ...changedSentences(old, now, lost?.get(old.section) ?? new Map()),
        ...changedTargets(old, now, page, change),
      ].map(({ what, ...versions }) =>
        found('fact-changed', { file: file.path, line: now.line }, what, versions),
      ),
    );
  });
}

function isProse(kind: Block['kind']): boolean {
  return kind === 'paragraph' || kind === 'list-item' || kind === 'row';
}

/** A sentence or a link, as it was and as it is now. */
interface FactChange extends Versions {
  readonly what: Sentence;
}

/** A number, a negation or a duty, and how often a section has it less than before. */
type Lost = ReadonlyMap<string, number>;

/** What each section lost. A fact that stands elsewhere in the same section has only moved. */
function lostFacts({ pairs, removed, added }: Match): ReadonlyMap<Block | undefined, Lost> {
  const counts = new Map<Block | undefined, Map<string, number>>();
  const count = (section: Block | undefined, text: string, step: number) => {
    const ofSection = counts.get(section) ?? new Map<string, number>();
    for (const fact of factsIn(text)) {
      ofSection.set(fact, (ofSection.get(fact) ?? 0) + step);
    }
    counts.set(section, ofSection);
  };
  const sectionBefore = new Map([...pairs].map(([old, now]) => [now, old]));
  for (const old of [...pairs.keys(), ...removed].filter(({ kind }) => isProse(kind))) {
    count(old.section, old.text, 1);
  }
  for (const now of [...pairs.values(), ...added].filter(({ kind }) => isProse(kind))) {
    count(now.section && sectionBefore.get(now.section), now.text, -1);
  }
  return counts;
}

function changedSentences(old: Block, now: Block, lost: Lost): readonly FactChange[] {
  if (old.text === now.text) {
    return [];
  }
  const [before, after] = [sentencesOf(old.text), sentencesOf(now.text)];
  const added = newItems(before, after, (sentence) => sentence);
  const [factsBefore, factsAfter] = [factsIn(old.text), factsIn(now.text)];
  const countIn = (all: readonly string[], fact: string) =>
    all.filter((one) => one === fact).length;
  const isLost = (fact: string) =>
    (lost.get(fact) ?? 0) > 0 && countIn(factsAfter, fact) < countIn(factsBefore, fact);
  return newItems(after, before, (sentence) => sentence).flatMap((sentence) => {
    const successor = successorOf(sentence, added);
    const fact = factsIn(sentence).find(isLost) ?? gainedFact(sentence, successor);
    return fact === undefined
      ? []
      : [{ what: whatChanged(fact, old.kind), before: sentence, after: successor ?? '' }];
  });
}

/** A negation or a duty that a sentence has more often than before, unless it stands in a clause added at its end. */
function gainedFact(before: string, after = ''): string | undefined {
  const start = before.replace(/[.!?]$/u, '');
  if (after.startsWith(start) && /^[,;:]/u.test(after.slice(start.length))) {
    return undefined;
  }
  return newItems(factsIn(before), factsIn(after), String).find((fact) => !isNumber(fact));
}

function isNumber(fact: string): boolean {
  return /\p{N}/u.test(fact);
}

function whatChanged(fact: string, kind: Block['kind']): Sentence {
  const where = clause(places.get(kind) ?? 'a sentence');
  if (isNumber(fact)) {
    return say`A number in ${where} changed or went.`;
  }
  return negation.test(fact)
    ? say`A “not” or another negation in ${where} was added, changed or removed.`
    : say`A “must”, “only” or “required” in ${where} was added, changed or removed.`;
}

const places: ReadonlyMap<Block['kind'], string> = new Map([
  ['list-item', 'a list item'],
  ['row', 'a row of a table'],
]);

/** A row of a table is one sentence, and so is a line of its own. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+(?=[\p{Lu}\p{Lo}`"'(])|(?<=[。！？])/u)
    .filter((one) => one !== '');
}

function successorOf(sentence: string, added: readonly string[]): string | undefined {
  const words = wordsOf(sentence);
  const [best] = added
    .slice(0, 50)
    .map((other) => ({ other, kept: keptPart(words, other) }))
    .toSorted((one, two) => two.kept - one.kept);
  return best !== undefined && best.kept >= leastKept ? best.other : undefined;
}

/** The facts of a text; words that say the same count as one. */
function factsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(facts) ?? []).map((word) => {
    if (isNumber(word)) {
      return word.replace(/[.,:_-]+$/u, '').replaceAll(',', '');
    }
    return negation.test(word) ? 'not' : word.replace(/^(?:requires?|mandatory)$/u, 'required');
  });
}

/** Whatever has a digit, such as `30`, `v2.1` or an id; negations; and duties. */
const facts =
  /[\p{L}_.-]*\p{N}[\p{L}\p{N}_.,:-]*%?|\b(?:not|no|never|none|neither|nor|without|cannot|unable|\w+n['’]t|must|only|required?|requires|mandatory|optional)\b/gu;
const negation = /^(?:not|no|never|none|neither|nor|without|cannot|unable|\w+n['’]t)$/u;

function changedTargets(
  old: Block,
  now: Block,
  { file }: PageChange,
  change: Change,
): readonly FactChange[] {
  const gone = newItems(now.targets, old.targets, (target) => target);
  const added = newItems(old.targets, now.targets, (target) => target);
  const ends = new Set(added.map((target) => placeOf(target, file.path, change.after)));
  const [first] = added;
  return gone
    .filter((target) => !ends.has(placeNow(target, pathBefore(file), change)))
    .map((before, index) => {
      const after = added[index] ?? first ?? '';
      return {
        what: after === '' ? say`A link is gone.` : say`A link leads to another place.`,
        before,
        after,
      };
    });
}

/** Where an old link leads after the change, if its page moved. */
function placeNow(target: string, from: string, { before, files }: Change): string {
  const end = linksOf(before).resolve(target, from);
  const moved =
    end.kind === 'page' &&
    files.find((file) => pathBefore(file) === end.file && file.status === 'renamed');
  return nameOf(moved ? { ...end, file: moved.path } : end, target);
}

function placeOf(target: string, from: string, version: DocsVersion): string {
  return nameOf(linksOf(version).resolve(target, from), target);
}

/** The page that a link leads to, wherever on it. */
function nameOf(end: LinkEnd, target: string): string {
  const isFile = end.kind === 'page' || end.kind === 'file';
  return isFile ? end.file : target.replace(/#.*$/u, '').replace(/\/$/u, '');
}
