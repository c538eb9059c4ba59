import {
  array,
  boolean,
  length,
  optional,
  pipe,
  regex,
  strictObject,
  string,
  unknown,
} from 'valibot';
import { parse } from '../../text/parse.ts';
import { counted, listed, shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';
import { compareNavigation, type TreeChange } from './navigation-tree.ts';
import { hasPage, isPage, navigationNames, pageNameOf } from './page-path.ts';

/** Another navigation. Entries for new pages of this change pass, and so do new groups of only such pages. */
export function navigationChanged(change: Change): readonly Finding[] {
  const { before, after } = change;
  const added = addedPages(change);
  const file = navigationFile(change);
  return file === undefined ||
    before.site.navigationJson === withoutEntries(after.site.navigationJson, added)
    ? []
    : [{ rule: 'navigation-changed', file, what: `its navigation ${differences(change, added)}` }];
}

/** The changed file that has the navigation, or a part of it. */
function navigationFile({ files, before, after }: Change): string | undefined {
  const paths = new Set(files.map(({ path }) => path));
  const changed = after.site.files.filter((file) => paths.has(file));
  const withPages = new Set([...before.site.pages, ...after.site.pages].map(({ file }) => file));
  return changed.find((file) => withPages.has(file)) ?? changed[0] ?? after.site.files[0];
}

function differences({ before, after }: Change, added: ReadonlySet<string>): string {
  const changes = compareNavigation(before.site.navigation, after.site.navigation);
  const [news, gone] = [labelsOf(changes, '+'), labelsOf(changes, '-')];
  const isMoved = ({ node }: TreeChange) => news.has(keyOf(node)) && gone.has(keyOf(node));
  const isIn = (sign: TreeChange['sign'], kind: 'group' | 'page' | 'other') =>
    changes
      .filter((one) => one.sign === sign && !isMoved(one) && kindOf(one) === kind)
      .filter(({ isInside, node }) => !isInside || (sign === '+' && hasPage(before, node.label)))
      .map(({ node }) => node.label);
  const pages = isIn('+', 'page').filter((label) => !added.has(label));
  const [old, others] = [true, false].map((isOld) =>
    pages.filter((page) => hasPage(before, page) === isOld),
  );
  const places = changes.filter((one) => one.sign === '!' || (one.sign === '+' && isMoved(one)));
  const parts = [
    ...verb('adds', 'the group', isIn('+', 'group'), 'group'),
    ...verb('removes', 'the group', isIn('-', 'group'), 'group'),
    ...verb('adds', '', old ?? [], 'page').map((part) => `${part}, which existed before`),
    ...verb('adds', '', [...(others ?? []), ...isIn('+', 'other')], 'entry', 'entries'),
    ...verb('removes', '', [...isIn('-', 'page'), ...isIn('-', 'other')], 'entry', 'entries'),
    ...(places.length === 0 ? [] : [`moves ${counted(places.length, 'entry', 'entries')}`]),
    ...settingsOf(changes),
  ];
  return parts.length === 0
    ? 'has other settings, or names a page in an unusual way'
    : listed(parts);
}

function labelsOf(changes: readonly TreeChange[], sign: TreeChange['sign']): ReadonlySet<string> {
  return new Set(changes.filter((one) => one.sign === sign).map(({ node }) => keyOf(node)));
}

function keyOf({ kind, label }: TreeChange['node']): string {
  return `${kind} ${label}`;
}

function kindOf({ node: { kind } }: TreeChange): 'group' | 'page' | 'other' {
  return kind === 'group' || kind === 'page' ? kind : 'other';
}

/** More names say no more than their number. */
const mostNames = 3;
const longestName = 80;

function verb(
  does: string,
  article: string,
  names: readonly string[],
  singular: string,
  plural = `${singular}s`,
): readonly string[] {
  if (names.length === 0) {
    return [];
  }
  const short = names.map((name) => shortened(name, longestName));
  const named =
    article === '' ? listed(short) : `${article}${short.length > 1 ? 's' : ''} ${listed(short)}`;
  return [`${does} ${names.length > mostNames ? counted(names.length, singular, plural) : named}`];
}

function settingsOf(changes: readonly TreeChange[]): readonly string[] {
  const changed = changes.filter(({ settings }) => settings.length > 0);
  const [first] = changed;
  if (first === undefined || changed.length > mostNames) {
    return first === undefined ? [] : [`changes settings of ${counted(changed.length, 'group')}`];
  }
  return changed.map(({ node, settings }) => {
    const keys = listed(settings.slice(0, mostNames).map((key) => shortened(key, longestName)));
    return `changes the ${keys} of ${shortened(node.label, longestName)}`;
  });
}

/** New pages that the navigation did not name before. */
function addedPages({ files, before, after }: Change): ReadonlySet<string> {
  const known = navigationNames(before);
  const pages = files
    .filter(({ path, status }) => status === 'added' && isPage(after, path))
    .map(({ path }) => pageNameOf(path, after.site));
  return new Set(pages.filter((page) => page !== undefined).filter((page) => !known.has(page)));
}

function withoutEntries(json: string, pages: ReadonlySet<string>): string {
  if (pages.size === 0) {
    return json;
  }
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) =>
      (key === 'pages' || key === 'groups') && Array.isArray(value)
        ? value.filter((item) => !isEntryOf(item, pages) && !isEmptyGroup(item))
        : value,
    ),
  );
}

const groupSchema = strictObject({
  group: string(),
  icon: optional(pipe(string(), regex(/^[\w-]+$/u))),
  expanded: optional(boolean()),
  pages: pipe(array(unknown()), length(0)),
});

/** Whether nothing is left of a group but its name and how it is shown. */
function isEmptyGroup(item: unknown): boolean {
  return parse(groupSchema, item) !== undefined;
}

/** Whether an entry is the plain name of a page: `https://example.com/../guides/setup` only ends like one. */
function isEntryOf(entry: unknown, pages: ReadonlySet<string>): boolean {
  return typeof entry === 'string' && pages.has(entry.replace(/^\/|\.mdx?$/gu, ''));
}
