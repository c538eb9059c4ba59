import type { Block, BlockKind } from '../docs/page.ts';
import { oncePer } from '../once-per.ts';
import { factsIn, keptPart, newItems, phrasesIn, turnsIn, wordsOf } from './words.ts';

/** Which blocks of an old page are still there, and which of the new page are new. */
export interface Match {
  /** Each old block that is still there, and what it is now. */
  readonly pairs: ReadonlyMap<Block, Block>;
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
}

/** So much of a text has to be kept for it to count as the same. */
export const leastKept = 0.6;

/** So much of it, where another text stands in its place. */
const leastRewritten = 0.2;

/** A text is compared with so many new ones beside it: only a page made to take long has more. */
export const maxNear = 50;

/** More comparisons take longer than a second; only a page made for that needs them. */
const maxComparisons = 300_000;

/**
 * Finds what became of each block: the same elsewhere on the page, or else one of the same kind in the same
 * section that kept at least 60 % of its words. A section whose title changed is known by what stands in it.
 */
export function matchBlocks(before: readonly Block[], after: readonly Block[]): Match {
  const pairs = new Map<Block, Block>();
  const free = new Set(after);
  let comparisons = 0;

  function pairEach(find: (old: Block, index: number) => Block | undefined): void {
    for (const [index, old] of before.entries()) {
      const now = pairs.has(old) ? undefined : find(old, index);
      if (now !== undefined) {
        pairs.set(old, now);
        free.delete(now);
      }
    }
  }

  /** Pairs blocks with the same key, in their order. */
  function pairBy(key: (block: Block) => string | undefined): void {
    const byKey = Map.groupBy(free, key);
    pairEach((old) => {
      const wanted = key(old);
      return wanted === undefined ? undefined : byKey.get(wanted)?.shift();
    });
  }

  pairBy((block) => `${blockKey(block)} ${block.section?.text} ${block.parent?.title}`);
  pairBy(blockKey);
  pairBy((block) =>
    block.title === '' || ['section', 'picture', 'include', 'sample'].includes(block.kind)
      ? undefined
      : `${block.kind} ${block.name} ${block.title} ${block.section?.text}`,
  );

  // A section with another title is the one in which most of what stood below it stands now.
  const below = Map.groupBy(before, ({ section }) => section);
  pairEach((old) => {
    const stays = Map.groupBy(below.get(old) ?? [], (block) => pairs.get(block)?.section);
    const [most] = [...stays]
      .filter(([now]) => now !== undefined && free.has(now))
      .toSorted(([, one], [, other]) => other.length - one.length);
    return most?.[0];
  });

  const bySection = Map.groupBy(free, ({ section }) => section);
  pairEach((old) => {
    if (comparisons >= maxComparisons) {
      return undefined;
    }
    const words = wordsOf(old.text);
    const near = bySection.get(sectionAmong(pairs, old)) ?? [];
    const alike = near.filter((now) => free.has(now) && isOfKind(old, now));
    comparisons += near.length / 20 + alike.length * (1 + words.length / 50);
    const [best] = (comparisons >= maxComparisons ? [] : alike)
      .map((now) => ({ now, kept: keptPart(words, now.text) }))
      .filter(({ kept }) => kept >= leastKept)
      .toSorted((one, other) => other.kept - one.kept);
    return best?.now ?? substituteOf(old, alike);
  });

  // What stands behind the same block as before.
  const next = new Map(after.map((block, index) => [block, after[index + 1]]));
  pairEach((old, index) => {
    const previous = pairs.get(before[index - 1] ?? old);
    const now = index === 0 ? after[0] : previous && next.get(previous);
    const isNear = now !== undefined && free.has(now) && isProse(old) && isOfKind(old, now);
    return isNear && isRewritten(old.text, now.text) ? now : undefined;
  });

  return { pairs, removed: before.filter((block) => !pairs.has(block)), added: [...free] };
}

/** The section of the other page to which a block belongs: its own one, or the next one around that is on both pages. */
function sectionAmong(others: ReadonlyMap<Block, Block>, { section }: Block): Block | undefined {
  return section && (others.get(section) ?? sectionAmong(others, section));
}

/** Equal for blocks that are the same, wherever they stand. */
export function blockKey({ kind, name, title, text }: Block): string {
  // A text contains the title of its block, but no name of a parameter. A sample is one by its lines, unless they are
  // drawn.
  const label = kind === 'sample' && name !== 'mermaid' ? '' : name;
  return `${kind} ${label} ${kind === 'parameter' ? title : ''} ${text}`;
}

/** Prose may become an item of a list, or the other way round; a callout is another one by its name. */
function isOfKind(old: Block, now: Block): boolean {
  const isSame = old.kind === now.kind && old.name === now.name;
  const isNamed = (old.kind !== 'parameter' || old.title === now.title) && old.kind !== 'include';
  return (isSame && isNamed) || (isProse(old) && isProse(now) && old.name === now.name);
}

/** Whether a block is a text of sentences. */
function isProse({ kind }: Block): boolean {
  return kind === 'paragraph' || kind === 'list-item';
}

/** Whether a block's own text consists of sentences, or of a table's cells. */
export function hasText(block: Block): boolean {
  return isProse(block) || block.kind === 'row';
}

/** Whether one text can stand for another. What is much shorter has lost something, unless both lead to what follows. */
export function isRewritten(old: string, now: string): boolean {
  const words = wordsOf(old);
  const isShorter = wordsOf(now).length < leastKept * words.length;
  const areLeadIns = isLeadIn(old) && isLeadIn(now);
  return (!isShorter || areLeadIns) && keptPart(words, now) >= leastRewritten;
}

/** Whether a text leads to what follows. */
export function isLeadIn(text: string): boolean {
  return /[:：]$/u.test(text);
}

/** A picture takes another one's place whatever it is called, and so does a column, and the only sample. */
function substituteOf({ kind }: Block, alike: readonly Block[]): Block | undefined {
  const isOnlySample = kind === 'sample' && alike.length === 1;
  return kind === 'picture' || kind === 'column' || isOnlySample ? alike[0] : undefined;
}

/** Kinds of block whose text begins with their title. */
export const titled: readonly BlockKind[] = ['callout', 'tab', 'step', 'accordion', 'card'];

/** The sentences of a block, or its title or heading. */
export function wordsIn(block: Block): string {
  const title = titled.includes(block.kind) || block.kind === 'sample' ? block.title : '';
  return hasText(block) || block.kind === 'column' || block.kind === 'section' ? block.text : title;
}

/** The facts, the code and the targets of links that each section of the old page lost. What stands elsewhere in it has only moved. */
export const lostFacts = oncePer((match: Match) =>
  lostIn(match, (block) => [...factsIn(wordsIn(block)), ...block.codes, ...block.targets]),
);

/** The same for words, and pairs of them. */
const lostPhrases = oncePer((match: Match) =>
  lostIn(match, (block) => [...wordsOf(wordsIn(block)), ...phrasesIn(wordsIn(block))]),
);

function lostIn(
  { pairs, removed, added }: Match,
  itemsIn: (block: Block) => readonly string[],
): ReadonlyMap<Block | undefined, ReadonlySet<string>> {
  const oldOf = new Map([...pairs].map(([old, now]) => [now, old]));
  const before = Map.groupBy([...pairs.keys(), ...removed], ({ section }) => section);
  const after = Map.groupBy([...pairs.values(), ...added], (block) => sectionAmong(oldOf, block));
  // What only a pointer shows takes no text's place.
  const itemsOf = (blocks: readonly Block[] = []) =>
    blocks.filter(({ name }) => name !== 'Tooltip').flatMap(itemsIn);
  return new Map(
    [...before].map(([section, blocks]) => [
      section,
      new Set(newItems(itemsOf(after.get(section)), itemsOf(blocks), String)),
    ]),
  );
}

/** Shorter paragraphs and sentences are labels and captions, or lead to what follows their colon. */
const leastWords = 3;
const leastLeadIn = 8;

/** So many pairs of a text's words stay where it is split, joined with another one, or made a list or a table. */
const leastSaid = 0.7;

/** Whether the section still says what a text said, with all of its facts and links. What a row says is said of its first cell. */
export function isSaidElsewhere(block: Block, match: Match): boolean {
  if (!isProse(block)) {
    return false;
  }
  const { section, text, targets, codes } = block;
  const [lost, lostFact] = [lostPhrases(match).get(section), lostFacts(match).get(section)];
  const phrases = [phrasesIn(text), wordsOf(text)].find(({ length }) => length > 0) ?? [];
  const kept = phrases.filter((phrase) => !lost?.has(phrase));
  return (
    kept.length > 0 &&
    kept.length >= leastSaid * phrases.length &&
    ![...factsIn(text), ...codes, ...targets].some((fact) => lostFact?.has(fact))
  );
}

/** Whether readers would miss a paragraph: it has some words, or a negation or a duty. */
export function isLong(text: string): boolean {
  const least = isLeadIn(text) ? leastLeadIn : leastWords;
  return wordsOf(text).length >= least || turnsIn(text).length > 0;
}
