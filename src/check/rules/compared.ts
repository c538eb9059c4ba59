import { counted } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { FileKind } from '../docs/kinds.ts';
import { changedRedirects } from './addresses.ts';
import { navigationDifference } from './navigation.ts';
import { isShown, kindIn, type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';

/** What the rules have compared, such as `1 new page` and `text on 3 pages`: our words and numbers only. */
export function compared(change: Change): readonly string[] {
  const { files, before, after } = change;
  const pages = pageChangesOf(change).filter(
    ({ file }) => isShown(after, file.path) || isShown(before, pathBefore(file)),
  );
  const isNew = ({ file }: PageChange) => file.status === 'added';
  const added = pages.filter(isNew);
  const filesOf = (...kinds: readonly FileKind[]) =>
    files.filter(({ path }) => kinds.includes(kindIn(after, path)));
  const isGone = ({ status }: { readonly status: string }) => status === 'deleted';
  const pictures = filesOf('picture');
  const entries = navigationDifference(change).added.filter(({ kind }) => kind !== 'group');
  const edited = pages.length - added.length;
  const phrases = [
    some(added.length, 'new page'),
    some(newLinks(added, change).size, 'new link to another site', 'new links to other sites'),
    edited > 0 ? `text on ${counted(edited, 'page')}` : '',
    some(pictures.filter((file) => !isGone(file)).length, 'picture'),
    some(pictures.filter(isGone).length, 'unused picture deleted', 'unused pictures deleted'),
    some(entries.length, 'entry of the navigation', 'entries of the navigation'),
    some(changedRedirects(change).length, 'redirect'),
    some(filesOf('api-description').length, 'API description'),
    some(filesOf('readme', 'tool-data', 'other').length, 'other file'),
  ];
  return phrases.filter((phrase) => phrase !== '');
}

function some(count: number, ...names: readonly [singular: string, plural?: string]): string {
  return count === 0 ? '' : counted(count, ...names);
}

/** Where new pages lead to on other sites, and no page did before. */
function newLinks(pages: readonly PageChange[], { known }: Change): ReadonlySet<string> {
  const targets = pages
    .flatMap(({ after }) => after?.constructs ?? [])
    .flatMap((one) => (one.kind === 'link' ? one.target : []));
  return new Set(targets.filter((one) => !known.hasAddress(one)));
}
