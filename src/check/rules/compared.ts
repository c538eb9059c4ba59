import { counted, listed } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { FileKind } from '../docs/kinds.ts';
import { publisherOf } from '../docs/known.ts';
import { changedRedirects } from './addresses.ts';
import { newSampleLines } from './facts.ts';
import { navigationDifference } from './navigation.ts';
import { isShown, kindIn, type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';

/** What the rules have compared, such as `1 new page` and `text on 3 pages`: our words, numbers, and names of hosts. */
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
  const entries = navigationDifference(change).added;
  const edited = pages.length - added.length;
  const phrases = [
    some(added.length, 'new page'),
    newLinks(added, change),
    edited > 0 ? `text on ${counted(edited, 'page')}` : '',
    some(newSampleLines(change), 'new line in a sample', 'new lines in samples'),
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

/** More names push the rest out of view. */
const maxNames = 3;

/** Where new pages lead to on other sites, and no page did before; empty for nowhere. */
function newLinks(pages: readonly PageChange[], { known }: Change): string {
  const publishers = pages
    .flatMap(({ after }) => after?.constructs ?? [])
    .flatMap((one) => (one.kind === 'link' && !known.hasAddress(one.target) ? one.target : []))
    .map(publisherOf)
    .map(({ host = '', owner = '' } = { host: '', owner: '' }) =>
      // Nothing that could be Markdown or a mention.
      /^[a-z\d.-]+$/u.test(owner) ? `${host}/${owner}` : host,
    );
  const names = [...new Set(publishers)];
  const more = names.length - maxNames;
  const shown = [...names.slice(0, maxNames), ...(more > 0 ? [counted(more, 'other site')] : [])];
  return names.length === 0
    ? ''
    : `links to ${listed(shown)}, which the docs did not link to before`;
}
