/**
 * The items that `others` lack. Each of the others takes one away: an item that occurs three times, and twice in
 * `others`, is left once.
 */
export function minus<Other, Item extends Other>(
  items: readonly Item[],
  others: readonly Other[],
  keyOf: (item: Other) => string,
): readonly Item[] {
  const counts = new Map<string, number>();
  for (const key of others.map(keyOf)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return items.filter((item) => {
    const key = keyOf(item);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Pairs of an item and another one with the same key: the first with the first, the second with the second. */
export function paired<Item>(
  items: readonly Item[],
  others: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [item: Item, other: Item])[] {
  const othersByKey = Map.groupBy(others, keyOf);
  return [...Map.groupBy(items, keyOf)].flatMap(([key, group]) =>
    group.flatMap((item, index) => {
      const other = othersByKey.get(key)?.[index];
      return other === undefined ? [] : [[item, other] as const];
    }),
  );
}
