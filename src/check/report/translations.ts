import type { Change } from '../change.ts';
import { sourceOf } from '../docs/translations.ts';

/** An item, and how many items about translations of the same page it stands for. */
export interface Folded<Item> {
  readonly item: Item;
  readonly others: number;
}

/**
 * Keeps one item for each source page and group: the one about the source page itself, or else the first
 * one about a translation. Several items about one page are all kept.
 */
export function foldTranslations<Item>(
  items: readonly Item[],
  about: (item: Item) => { readonly path: string; readonly group: string },
  change: Pick<Change, 'before' | 'after'>,
): readonly Folded<Item>[] {
  const sources = new Map<string, string>();
  const sourceOfPath = (path: string): string => {
    const source = sources.get(path) ?? sourceOfFile(path, change);
    sources.set(path, source);
    return source;
  };
  const groups = new Map<string, Map<string, Item[]>>();
  for (const item of items) {
    const { path, group } = about(item);
    const key = `${group} ${sourceOfPath(path)}`;
    const byPath = groups.get(key) ?? new Map<string, Item[]>();
    const alike = byPath.get(path) ?? [];
    alike.push(item);
    groups.set(key, byPath.set(path, alike));
  }
  return [...groups.values()].flatMap((byPath) => {
    const entries = [...byPath];
    const [, chosen = []] =
      entries.find(([path]) => sourceOfPath(path) === path) ?? entries[0] ?? [];
    return chosen.map((item, index) => ({ item, others: index === 0 ? entries.length - 1 : 0 }));
  });
}

/** The page that a page is, or was, a translation of; the page itself if it is none. */
function sourceOfFile(path: string, { before, after }: Pick<Change, 'before' | 'after'>): string {
  const now = sourceOf(path, after);
  return now === path ? sourceOf(path, before) : now;
}
