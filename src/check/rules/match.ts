import type { Block } from '../docs/page.ts';

/** Which blocks of an old page are still there, and which of the new page are new. */
export interface Match {
  /** Each old block that is still there, and what it is now. */
  readonly pairs: ReadonlyMap<Block, Block>;
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
  /** The old section in which each new block stands; a new section belongs to the one around it. */
  readonly sectionBefore: ReadonlyMap<Block, Block | undefined>;
}

/** So much of a text has to be kept for it to count as the same. */
const leastKept = 0.6;

/** So much of it, where another text stands in its place. */
const leastRewritten = 0.2;

/** More comparisons take longer than a second; only a page made for that needs them. */
const maxComparisons = 300_000;

/**
 * Finds what became of each block: the same elsewhere on the page, or else one of the same kind in the same
 * section that kept at least 60 % of its words. A section whose title changed is known by what stands in it.
 */
export function matchBlocks(before: readonly Block[], after: readonly Block[]): Match {
  const matcher = new Matcher(before, after);
  matcher.matchBy((block) => `${keyOf(block)} ${block.section?.text} ${block.parent?.title}`);
  matcher.matchBy(keyOf);
  matcher.matchBy((block) =>
    block.title === '' || block.kind === 'section' || block.kind === 'picture'
      ? undefined
      : `${block.kind} ${block.name} ${block.title} ${block.section?.text}`,
  );
  matcher.matchSections();
  matcher.matchSimilar();
  matcher.matchRewritten();
  return matcher.result();
}

/** Equal for blocks that are the same, wherever they stand. */
export function keyOf({ kind, name, text }: Block): string {
  return `${kind} ${name} ${text}`;
}

class Matcher {
  private readonly before: readonly Block[];
  private readonly after: readonly Block[];
  private readonly pairs = new Map<Block, Block>();
  private readonly taken = new Set<Block>();
  private comparisons = 0;

  constructor(before: readonly Block[], after: readonly Block[]) {
    this.before = before;
    this.after = after;
  }

  result(): Match {
    return {
      pairs: this.pairs,
      removed: this.oldOnes(),
      added: this.newOnes(),
      sectionBefore: this.sectionsBefore(),
    };
  }

  private sectionsBefore(): ReadonlyMap<Block, Block | undefined> {
    const before = new Map([...this.pairs].map(([old, now]) => [now, old]));
    const sections = new Map<Block, Block | undefined>();
    for (const now of this.after) {
      const { section } = now;
      sections.set(now, section && (before.get(section) ?? sections.get(section)));
    }
    return sections;
  }

  private oldOnes(): readonly Block[] {
    return this.before.filter((block) => !this.pairs.has(block));
  }

  private newOnes(): readonly Block[] {
    return this.after.filter((block) => !this.taken.has(block));
  }

  private pair(old: Block, now: Block): void {
    this.pairs.set(old, now);
    this.taken.add(now);
  }

  /** Pairs blocks with the same key, in their order. */
  matchBy(key: (block: Block) => string | undefined): void {
    const byKey = Map.groupBy(this.newOnes(), key);
    for (const old of this.oldOnes()) {
      const wanted = key(old);
      const now = wanted === undefined ? undefined : byKey.get(wanted)?.shift();
      if (now !== undefined) {
        this.pair(old, now);
      }
    }
  }

  /** Pairs sections of which most words stand in a section with another title now. */
  matchSections(): void {
    const below = Map.groupBy(this.before, ({ section }) => section);
    for (const old of this.oldOnes().filter(({ kind }) => kind === 'section')) {
      const weights = new Map<Block, number>();
      for (const block of below.get(old) ?? []) {
        const now = this.pairs.get(block)?.section;
        if (now !== undefined && !this.taken.has(now)) {
          weights.set(now, (weights.get(now) ?? 0) + block.text.length);
        }
      }
      const [best] = [...weights].toSorted(([, one], [, other]) => other - one);
      const similar = this.best(
        old,
        this.newOnes().filter(({ kind }) => kind === 'section'),
      );
      const now = best?.[0] ?? similar;
      if (now !== undefined) {
        this.pair(old, now);
      }
    }
  }

  /** Pairs what is left with the most similar one of its kind in its section. */
  matchSimilar(): void {
    const bySection = Map.groupBy(this.newOnes(), ({ section }) => section);
    for (const old of this.oldOnes()) {
      const section = old.section && this.pairs.get(old.section);
      if (old.section !== undefined && section === undefined) {
        continue;
      }
      const near = (bySection.get(section) ?? []).filter((now) => !this.taken.has(now));
      const alike = near.filter((now) => isOfKind(old, now));
      const best = this.best(old, alike) ?? replacementOf(old, alike);
      if (best !== undefined) {
        this.pair(old, best);
      }
    }
  }

  /** Pairs prose with what stands in its place, right behind the same block, if it kept some of its words. */
  matchRewritten(): void {
    const nextOf = new Map(this.after.map((block, index) => [block, this.after[index + 1]]));
    for (const [index, old] of this.before.entries()) {
      const previous = this.pairs.get(this.before[index - 1] ?? old);
      const now = index === 0 ? this.after[0] : previous && nextOf.get(previous);
      const isFree = now !== undefined && !this.pairs.has(old) && !this.taken.has(now);
      if (isFree && isRewritten(old, now)) {
        this.pair(old, now);
      }
    }
  }

  private best(old: Block, candidates: readonly Block[]): Block | undefined {
    const words = wordsOf(old.text);
    let found: Block | undefined;
    let most = leastKept;
    for (const candidate of candidates) {
      this.comparisons += 1 + words.length / 50;
      if (this.comparisons > maxComparisons) {
        return found;
      }
      const kept = keptPart(words, candidate.text);
      if (kept > most || (kept === most && found === undefined)) {
        [found, most] = [candidate, kept];
      }
    }
    return found;
  }
}

/** Prose may become an item of a list, or the other way round; a callout is another one by its name. */
function isOfKind(old: Block, now: Block): boolean {
  return (old.kind === now.kind && old.name === now.name) || (isProse(old) && isProse(now));
}

function isProse({ kind }: Block): boolean {
  return kind === 'paragraph' || kind === 'list-item';
}

/** Whether a block's own text consists of sentences, or of a table's cells. */
export function hasText(block: Block): boolean {
  return isProse(block) || block.kind === 'row';
}

/** What is much shorter has lost something. */
function isRewritten(old: Block, now: Block): boolean {
  const [words, left] = [wordsOf(old.text), wordsOf(now.text)];
  return (
    isProse(old) &&
    isProse(now) &&
    left.length >= leastKept * words.length &&
    keptPart(words, now.text) >= leastRewritten
  );
}

/** A picture takes another one's place whatever it is called, and so does a column, and the only sample. */
function replacementOf(old: Block, alike: readonly Block[]): Block | undefined {
  const isOnlySample = old.kind === 'sample' && alike.length === 1;
  return old.kind === 'picture' || old.kind === 'column' || isOnlySample ? alike[0] : undefined;
}

/** The words of a text in lower case; of a script without spaces, its characters. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu,
      ) ?? []
  );
}

/** How much of some words a text still has, from 0 to 1. */
export function keptPart(words: readonly string[], text: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let kept = 0;
  for (const word of words) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      counts.set(word, left - 1);
      kept += 1;
    }
  }
  return words.length === 0 ? 0 : kept / words.length;
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
