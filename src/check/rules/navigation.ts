import { counted, listed } from '../../text/plain.ts';
import type { Change, DocsVersion } from '../change.ts';
import { addressOf } from '../docs/addresses.ts';
import type { Finding } from '../finding.ts';
import { pathBefore } from './compare.ts';
import {
  filesOfPage,
  hasPage,
  isHidden,
  isPage,
  isReadable,
  navigationNames,
  pageNameOf,
} from './page-path.ts';

/** Another navigation. Entries pass that were put into an existing group for new pages of this change. */
export function navigationChanged(change: Change): readonly Finding[] {
  const { before, after } = change;
  const [file] = after.site.files;
  const added = addedPages(change);
  if (
    file === undefined ||
    before.site.navigationJson === withoutEntries(after.site.navigationJson, added)
  ) {
    return [];
  }
  return [{ rule: 'navigation-changed', file, what: `its navigation ${differences(change)}` }];
}

function differences({ before, after }: Change): string {
  const was = navigationNames(before);
  const is = navigationNames(after);
  const added = [...is].filter((page) => !was.has(page)).length;
  const removed = [...was].filter((page) => !is.has(page)).length;
  const parts = [
    ...(added === 0 ? [] : [`adds ${counted(added, 'page')}`]),
    ...(removed === 0 ? [] : [`removes ${counted(removed, 'page')}`]),
  ];
  return parts.length === 0 ? 'moves or renames entries' : listed(parts);
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
      key === 'pages' && Array.isArray(value)
        ? value.filter((item) => !isEntryOf(item, pages))
        : value,
    ),
  );
}

/** Whether an entry is the plain name of a page: `https://example.com/../guides/setup` only ends like one. */
function isEntryOf(entry: unknown, pages: ReadonlySet<string>): boolean {
  return typeof entry === 'string' && pages.has(entry.replace(/^\/|\.mdx?$/gu, ''));
}

/** Pages that left the navigation but still exist, and new pages that it lacks. Hidden ones pass. */
export function pageNotInNavigation(change: Change): readonly Finding[] {
  if (!isReadable(change.after)) {
    return [];
  }
  const names = navigationNames(change.after);
  return [...pagesThatLeft(change, names), ...newPages(change, names), ...secondPages(change)];
}

/** New files with the address of another page: which of them the site shows is not known. */
function secondPages({ files: changed, after }: Change): readonly Finding[] {
  const files = new Map<string, string>();
  for (const path of after.tree.keys()) {
    // The older of two counts as the other one.
    if (!files.has(sameFor(path)) || !changed.some((file) => file.path === path)) {
      files.set(sameFor(path), path);
    }
  }
  return changed
    .filter(({ path, status }) => status === 'added' && isPage(after, path))
    .flatMap(({ path }) => {
      const address = addressOf(path, after.site);
      const folder = after.site.root === '' ? '' : `${after.site.root}/`;
      const names = address === '' ? ['index'] : [address, `${address}/index`];
      const other = names
        .flatMap((name) => [`${folder}${name}.mdx`, `${folder}${name}.md`])
        .map((name) => files.get(sameFor(name)) ?? path)
        .find((name) => name !== path);
      return other === undefined ? [] : [finding(path, `is new and has the address of ${other}`)];
    });
}

/** Names that servers and file systems may take for one: by the letters' case, or how accents are written. */
function sameFor(path: string): string {
  return path.normalize().toLowerCase();
}

function pagesThatLeft({ before, after }: Change, names: ReadonlySet<string>): readonly Finding[] {
  return [...navigationNames(before)]
    .filter((page) => !names.has(page))
    .flatMap((page) => filesOfPage(page, after.site))
    .filter((path) => after.tree.has(path) && !isHidden(after, path))
    .map((path) => finding(path, 'is not in the navigation any more'));
}

function newPages(change: Change, names: ReadonlySet<string>): readonly Finding[] {
  const { before, after, files } = change;
  const known = navigationNames(before);
  return files
    .filter((file) => {
      const was = pageNameOf(pathBefore(file), before.site);
      return file.status === 'renamed'
        ? was !== undefined && known.has(was)
        : file.status === 'added';
    })
    .filter(({ path }) => {
      const page = pageNameOf(path, after.site);
      return (
        page !== undefined && !names.has(page) && isPage(after, path) && !isHidden(after, path)
      );
    })
    .map(({ path, status }) =>
      finding(
        path,
        status === 'added'
          ? 'is new and not in the navigation'
          : 'has moved and is not in the navigation',
      ),
    );
}

function finding(file: string, what: string): Finding {
  return { rule: 'page-not-in-navigation', file, what };
}

/** Entries of the navigation that are new, or whose page this change took away, without a page. */
export function navigationWithoutPage({ before, after }: Change): readonly Finding[] {
  const known = navigationNames(before);
  const seen = new Set<string>();
  return after.site.pages
    .filter(({ page }) => {
      const isFirst = !seen.has(page);
      seen.add(page);
      const isOld = known.has(page) && !hasPage(before, page);
      return isFirst && !isOld && !hasPage(after, page) && !isApiPage(after, page);
    })
    .map(({ page, file, line }) => ({
      rule: 'navigation-without-page',
      file,
      line,
      what: `its navigation names ${page}, which does not exist`,
    }));
}

/** Pages that are made from an API description have no file. */
function isApiPage({ site }: DocsVersion, page: string): boolean {
  return site.apiFolders.some((folder) => folder === '' || page.startsWith(`${folder}/`));
}
