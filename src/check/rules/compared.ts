import { counted } from '../../text/plain.ts';
import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import type { Construct, Page } from '../docs/page.ts';
import { changedRedirects } from './addresses.ts';
import { newItems } from './match.ts';
import { navigationDifference } from './navigation.ts';
import { isShown, kindIn, pageChangesOf, pathBefore } from './page-changes.ts';

/** What the rules have compared, such as `text on 3 pages (1 new)`: our words and numbers only. */
export function compared(change: Change): readonly string[] {
  const { files, before, after } = change;
  const pages = pageChangesOf(change).filter(
    ({ file }) => isShown(after, file.path) || isShown(before, pathBefore(file)),
  );
  const isNew = pages.filter(({ file }) => file.status === 'added').length;
  const count = (kind: Construct['kind']) =>
    pages.reduce((sum, page) => sum + newConstructs(page.before, page.after, kind), 0);
  const kindOf = ({ path }: ChangedFile) => kindIn(after, path);
  const ofKind = (kind: string) => files.filter((file) => kindOf(file) === kind);
  const known = ['page', 'snippet', 'picture', 'navigation', 'api-description'];
  const phrases: readonly (readonly [count: number, phrase: (count: number) => string])[] = [
    [
      pages.length,
      (some) => `text on ${counted(some, 'page')}${isNew === 0 ? '' : ` (${isNew} new)`}`,
    ],
    [count('sample'), (some) => counted(some, 'sample')],
    [count('link'), (some) => counted(some, 'link')],
    [
      ofKind('picture').filter(({ status }) => status !== 'deleted').length,
      (some) => counted(some, 'picture'),
    ],
    [
      ofKind('picture').filter(({ status }) => status === 'deleted').length,
      (some) => `${counted(some, 'deleted picture')} that no page shows`,
    ],
    [
      navigationDifference(change).added.filter(({ kind }) => kind !== 'group').length,
      (some) => counted(some, 'entry of the navigation', 'entries of the navigation'),
    ],
    [hasNewOrder(change) ? 1 : 0, () => 'the order of the navigation'],
    [changedRedirects(change).length, (some) => counted(some, 'redirect')],
    [ofKind('api-description').length, (some) => counted(some, 'API description')],
    [
      files.filter((file) => !known.includes(kindOf(file))).length,
      (some) => counted(some, 'other file'),
    ],
  ];
  return phrases.filter(([some]) => some > 0).map(([some, phrase]) => phrase(some));
}

function newConstructs(
  before: Page | undefined,
  after: Page | undefined,
  kind: Construct['kind'],
): number {
  const ofKind = (page: Page | undefined) =>
    (page?.constructs ?? []).filter((one) => one.kind === kind);
  const keyOf = ({ line: _line, ...rest }: Construct) => JSON.stringify(rest);
  return newItems(ofKind(before), ofKind(after), keyOf).length;
}

/** Whether pages that the navigation had before stand in another order now. */
function hasNewOrder({ before, after }: Change): boolean {
  const orderIn = (one: DocsVersion, other: DocsVersion) => {
    const shared = new Set(other.site.pages);
    return one.site.pages.filter((page) => shared.has(page));
  };
  return orderIn(before, after).join('\n') !== orderIn(after, before).join('\n');
}
