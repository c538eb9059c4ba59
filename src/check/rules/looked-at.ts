import type { Change, ChangedFile } from '../change.ts';
import type { Construct, Page } from '../docs/page.ts';
import type { LookedAt } from '../judgement.ts';
import { changedRedirects } from './addresses.ts';
import { newItems } from './match.ts';
import { navigationDifference } from './navigation.ts';
import { isShown, kindIn, pageChangesOf, pathBefore } from './page-changes.ts';

/** Counts what the rules have compared. */
export function lookedAt(change: Change): LookedAt {
  const { files, before, after } = change;
  const isOfSite = (file: ChangedFile) =>
    isShown(after, file.path) || isShown(before, pathBefore(file));
  const pages = pageChangesOf(change).filter(({ file }) => isOfSite(file));
  const count = (kind: Construct['kind']) =>
    pages.reduce((sum, page) => sum + newConstructs(page.before, page.after, kind), 0);
  const kindOf = ({ path }: ChangedFile) => kindIn(after, path);
  const pictures = files.filter((file) => kindOf(file) === 'media' && file.status !== 'deleted');
  const known = ['page', 'snippet', 'media', 'navigation', 'api-description'];
  return {
    pages: pages.length,
    newPages: pages.filter(({ file }) => file.status === 'added').length,
    samples: count('sample'),
    links: count('link'),
    pictures: pictures.map(({ path, status }) => ({ file: path, isNew: status === 'added' })),
    navigationEntries: navigationDifference(change).added.length,
    redirects: changedRedirects(change).length,
    apiFiles: files.filter((file) => kindOf(file) === 'api-description').length,
    otherFiles: files.filter((file) => !known.includes(kindOf(file))).length,
  };
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
