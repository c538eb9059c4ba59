import { diffArrays } from 'diff';
import type { Change, ChangedFile } from '../change.ts';
import { createRedirects } from '../docs/redirects.ts';
import { changedPageFiles } from '../pages.ts';
import { type ChangedPage, changedPages, newItems, withPlainSpaces } from '../rules/compare.ts';
import { pageNameOf } from '../rules/page-path.ts';

/** Something that readers of the docs could see before the change, and cannot see after it. */
export interface Vanished {
  readonly kind: 'page' | 'heading' | 'image' | 'text';
  /** As it is after the change; of a deleted file, as it was. */
  readonly file: ChangedFile;
  /** As it stood in the file. */
  readonly before: string;
  /** What stands in its place; empty for nothing. */
  readonly after: string;
}

/** Far more than anyone reads, and little enough for a page made to keep the comparison busy. */
const mostEdits = 1500;

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
  return [
    ...vanishedPages(change),
    ...kinds.flatMap((wanted) => parts.filter(({ kind }) => kind === wanted)),
  ];
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
  const texts = pairs(textsOf(before), textsOf(after))
    .filter(isLost)
    .map((pair) => {
      const page = newText.get(pair.before);
      return page === undefined ? pair : { ...pair, after: `moved to ${page}` };
    });
  const as = (kind: Vanished['kind']) => (pair: Pair) => ({ kind, file, ...pair });
  return [...headings.map(as('heading')), ...images.map(as('image')), ...texts.map(as('text'))];
}

type Pair = Pick<Vanished, 'before' | 'after'>;

/** A passage that was reworded is not lost, unless little is left of it. */
function isLost({ before, after }: Pair): boolean {
  return before.length >= leastCharacters && after.length * 2 < before.length;
}

/** The items that are not there any more, each with what stands in its place. */
function pairs(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const left = new Set(newItems(before, after, (item) => item));
  const gone = newItems(after, before, (item) => item);
  if (gone.length === 0) {
    return [];
  }
  const hunks = diffArrays([...before], [...after], { maxEditLength: mostEdits });
  if (hunks === undefined) {
    return gone.map((item) => ({ before: item, after: '' }));
  }
  const isGone = new Set(gone);
  return hunks.flatMap((hunk, index) => {
    if (!hunk.removed) {
      return [];
    }
    const next = hunks[index + 1];
    const places = next?.added ? next.value.filter((item) => left.has(item)) : [];
    return hunk.value
      .filter((item) => isGone.has(item))
      .map((item, place) => ({ before: item, after: places[place] ?? '' }));
  });
}

function imagesOf(page: NonNullable<ChangedPage['before']>): readonly string[] {
  return page.links.filter(({ kind }) => kind !== 'link').map(({ target }) => target);
}

function textsOf(page: ChangedPage['before']): readonly string[] {
  return (page?.prose ?? []).map(({ text }) => withPlainSpaces(text)).filter((text) => text !== '');
}
