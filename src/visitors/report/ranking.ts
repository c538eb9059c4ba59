/** Keeps the items with the highest scores, in constant memory. */
export interface Ranking<Item> {
  /** Adds an item if its score is high enough; one with a score of 0 or less is never kept. */
  offer(item: Item): void;
  /** The highest score first; items with the same score in the order in which they came. */
  list(): readonly Item[];
}

export function createRanking<Item>(size: number, scoreOf: (item: Item) => number): Ranking<Item> {
  const kept: { readonly item: Item; readonly score: number }[] = [];
  return {
    offer(item) {
      const score = scoreOf(item);
      const lowest = kept.length < size ? 0 : (kept.at(-1)?.score ?? 0);
      if (score <= lowest) {
        return;
      }
      const place = kept.findIndex((other) => other.score < score);
      kept.splice(place === -1 ? kept.length : place, 0, { item, score });
      kept.length = Math.min(kept.length, size);
    },
    list: () => kept.map(({ item }) => item),
  };
}
