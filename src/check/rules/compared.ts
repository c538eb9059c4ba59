import { counted } from '../../text/plain.ts';
import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { changedRedirects } from './addresses.ts';
import { navigationDifference } from './navigation.ts';
import { isShown, kindIn, type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';
import { sitePage } from './plain-construct.ts';

/** What the rules have compared, such as `1 new page` and `text on 3 pages`: our words and numbers only. */
export function compared(change: Change): readonly string[] {
  const { files, before, after } = change;
  const pages = pageChangesOf(change).filter(
    ({ file }) => isShown(after, file.path) || isShown(before, pathBefore(file)),
  );
  const isNew = ({ file }: PageChange) => file.status === 'added';
  const kindOf = ({ path }: ChangedFile) => kindIn(after, path);
  const { deleted = [], kept = [] } = Object.groupBy(
    files.filter((file) => kindOf(file) === 'picture'),
    ({ status }) => (status === 'deleted' ? status : 'kept'),
  );
  return [
    ...phrase(pages.filter(isNew), 'new page'),
    ...phrase(
      newLinks(pages.filter(isNew), change),
      'new link to another site',
      'new links to other sites',
    ),
    ...phrase(
      pages.filter((page) => !isNew(page)),
      'page',
    ).map((some) => `text on ${some}`),
    ...phrase(kept, 'picture'),
    ...phrase(deleted, 'deleted picture').map((some) => `${some} that no page shows`),
    ...phrase(
      navigationDifference(change).added.filter(({ kind }) => kind !== 'group'),
      'entry of the navigation',
      'entries of the navigation',
    ),
    ...(hasNewOrder(change) ? ['the order of the navigation'] : []),
    ...phrase(changedRedirects(change), 'redirect'),
    ...phrase(
      files.filter((file) => kindOf(file) === 'api-description'),
      'API description',
    ),
    ...phrase(
      files.filter((file) => !known.includes(kindOf(file))),
      'other file',
    ),
  ];
}

const known = ['page', 'snippet', 'picture', 'navigation', 'api-description'];

function phrase(
  items: readonly unknown[],
  ...names: readonly [singular: string, plural?: string]
): readonly string[] {
  return items.length === 0 ? [] : [counted(items.length, ...names)];
}

/** Where new pages lead to on other sites, and no page did before. */
function newLinks(pages: readonly PageChange[], { known }: Change): readonly string[] {
  const targets = pages
    .flatMap(({ after }) => after?.constructs ?? [])
    .flatMap((one) => (one.kind === 'link' ? one.target : []));
  return [...new Set(targets)].filter((one) => sitePage.test(one) && !known.hasAddress(one));
}

/** Whether pages that the navigation had before stand in another order now. */
function hasNewOrder({ before, after }: Change): boolean {
  const orderIn = (one: DocsVersion, other: DocsVersion) =>
    [...one.site.pages].filter((page) => other.site.pages.has(page));
  return orderIn(before, after).join('\n') !== orderIn(after, before).join('\n');
}
