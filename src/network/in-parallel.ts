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
