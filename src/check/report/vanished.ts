import type { Change, ChangedFile } from '../change.ts';
import { createRedirects } from '../docs/redirects.ts';
import { changedPageFiles } from '../pages.ts';
import { type ChangedPage, changedPages, newItems, withPlainSpaces } from '../rules/compare.ts';
import { pageNameOf } from '../rules/page-path.ts';
import { redactorOf } from '../rules/redact.ts';

/** Something that readers of the docs could see before the change, and cannot see after it. */
export interface Vanished {
  readonly kind: 'page' | 'heading' | 'image' | 'text';
  /** As it is after the change; of a deleted file, as it was. */
  readonly file: ChangedFile;
  /** As it stood in the file. */
  readonly before: string;
  /** What stands in its place; empty for nothing. */
  readonly after: string;
  /** How many more of this kind the page has lost, which are not listed. */
  readonly more?: number;
}

/** So many passages show what a page has lost. A page that lost all its text would fill the report. */
const mostTexts = 3;

/** Shorter passages are mostly labels and captions. */
const leastCharacters = 25;

/** What a change takes away: pages first, then headings, images and text. */
export function findVanished(change: Change): readonly Vanished[] {
  const pages = changedPages(change).filter(
    ({ before, after }) => before?.problem === undefined && after?.problem === undefined,
  );
  const newText = findNewText(pages);
  const parts = pages.flatMap((page) => vanishedParts(page, newText));
  const kinds = ['heading', 'image', 'text'] as const;
  const redact = redactorOf(change);
  return [
    ...vanishedPages(change),
    ...kinds.flatMap((wanted) => parts.filter(({ kind }) => kind === wanted)),
  ].map((item) => ({ ...item, before: redact(item.before), after: redact(item.after) }));
}

function vanishedPages(change: Change): readonly Vanished[] {
  const { before, after } = change;
  const redirects = createRedirects(after.site);
  return changedPageFiles(change)
    .filter(({ status }) => status === 'deleted')
    .map((file) => {
      const redirect = redirects.match(pageNameOf(file.path, before.site) ?? file.path);
      return {
        kind: 'page',
        file,
        before: titleOf(before.pages.get(file.path)) || file.path,
        after: redirect === undefined ? '' : `redirects to ${redirect.destination}`,
      };
    });
}

/** Empty for none. */
function titleOf(page: ChangedPage['before']): string {
  const json = page?.frontMatter.find(({ name }) => name === 'title')?.json;
  const title: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof title === 'string' ? title : '';
}

/** The page that each new passage of text stands in now. */
function findNewText(pages: readonly ChangedPage[]): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(({ file, before, after }) =>
      newItems(textsOf(before), textsOf(after), (text) => text).map(
        (text) => [text, file.path] as const,
      ),
    ),
  );
}

function vanishedParts(
  { file, before, after }: ChangedPage,
  newText: ReadonlyMap<string, string>,
): readonly Vanished[] {
  if (before === undefined || after === undefined) {
    return [];
  }
  const headings = pairs(
    before.headings.map(({ text }) => text),
    after.headings.map(({ text }) => text),
  );
  const images = pairs(imagesOf(before), imagesOf(after));
  const titles = new Set(after.headings.map(({ text }) => withPlainSpaces(text)));
  const texts = pairs(textsOf(before), textsOf(after))
    .filter(isLost)
    .map((pair) => {
      const page = newText.get(pair.before);
      const rest = !titles.has(pair.after) && isRestOf(pair) ? pair.after : '';
      return { ...pair, after: page === undefined ? rest : `moved to ${page}` };
    });
  const as = (kind: Vanished['kind']) => (pair: Pair) => ({ kind, file, ...pair });
  return [
    ...headings.map(as('heading')),
    ...images.map(as('image')),
    ...firstOf(texts, mostTexts).map(as('text')),
  ];
}

/** The first pairs, the last of which says how many are left out. */
function firstOf(all: readonly Pair[], most: number): readonly Pair[] {
  const more = all.length - most;
  return more <= 0
    ? all
    : all.slice(0, most).map((pair, index) => (index === most - 1 ? { ...pair, more } : pair));
}

type Pair = Pick<Vanished, 'before' | 'after' | 'more'>;

/** A passage that was reworded is not lost, unless little is left of it. */
function isLost({ before, after }: Pair): boolean {
  return before.length >= leastCharacters && after.length * 2 < before.length;
}

/** Whether at least half of the words that stand in a passage's place now are its own. */
function isRestOf({ before, after }: Pair): boolean {
  const words = wordsOf(after);
  const own = new Set(wordsOf(before));
  return words.filter((word) => own.has(word)).length * 2 >= words.length;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * The items that are not there any more, each with what stands in its place: what is new after the same
 * neighbour. A comparison that finds the fewest edits would take minutes for a page made for that.
 */
function pairs(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const [old, current] = [withOccurrences(before), withOccurrences(after)];
  const added = new Map<string, string[]>();
  let neighbour = '';
  for (const [key, item] of current) {
    if (old.has(key)) {
      neighbour = key;
    } else {
      const list = added.get(neighbour) ?? [];
      list.push(item);
      added.set(neighbour, list);
    }
  }
  const gone: Pair[] = [];
  let [place, around] = [0, added.get('') ?? []];
  for (const [key, item] of old) {
    if (current.has(key)) {
      [place, around] = [0, added.get(key) ?? []];
    } else {
      gone.push({ before: item, after: around[place] ?? '' });
      place += 1;
    }
  }
  return gone;
}

/** The items by themselves and their number, because a page can have one twice. */
function withOccurrences(items: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const count = counts.get(item) ?? 0;
      counts.set(item, count + 1);
      return [`${count} ${item}`, item];
    }),
  );
}

function imagesOf(page: NonNullable<ChangedPage['before']>): readonly string[] {
  return page.links.filter(({ kind }) => kind !== 'link').map(({ target }) => target);
}

function textsOf(page: ChangedPage['before']): readonly string[] {
  return (page?.prose ?? []).map(({ text }) => withPlainSpaces(text)).filter((text) => text !== '');
}
