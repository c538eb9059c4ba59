/** What a batch may have. */
interface BatchLimits<Item> {
  readonly mostItems: number;
  readonly mostSize: number;
  readonly sizeOf: (item: Item) => number;
}

/** Splits items, in their order, into batches within limits. One that is too large is a batch of its own. */
export function inBatches<Item>(
  items: readonly Item[],
  { mostItems, mostSize, sizeOf }: BatchLimits<Item>,
): readonly (readonly Item[])[] {
  const batches: Item[][] = [];
  let size = 0;
  for (const item of items) {
    const last = batches.at(-1);
    size += sizeOf(item);
    if (last === undefined || last.length === mostItems || size > mostSize) {
      batches.push([item]);
      size = sizeOf(item);
    } else {
      last.push(item);
    }
  }
  return batches;
}

/**
 * Handles items, at most `limit` of them at once, and returns the results in the items' order.
 * @throws the first error; items that were not begun then stay so
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  handle: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const open = items.entries();
  let hasFailed = false;
  const work = async () => {
    for (const [index, item] of open) {
      if (hasFailed) {
        return;
      }
      try {
        results[index] = await handle(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
