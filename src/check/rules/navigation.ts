import type { Change } from '../change.ts';
import { addressOf } from '../docs/addresses.ts';
import { filesOfPage, isApiPage, isBuilt } from '../docs/built.ts';
import type { Finding } from '../old-finding.ts';
import { pathBefore } from './compare.ts';
import { hasPage, isHidden, isPage, isReadable, navigationNames, pageNameOf } from './page-path.ts';

/** Pages that left the navigation but still exist, and new pages that it lacks. Hidden ones pass. */
export function pageNotInNavigation(change: Change): readonly Finding[] {
  if (!isReadable(change.after)) {
    return [];
  }
  const names = navigationNames(change.after);
  // What a build makes of a new file, its path does not say.
  const added = isBuilt(change.before) ? [] : newPages(change, names);
  return [...pagesThatLeft(change, names), ...added, ...secondPages(change)];
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

/**
 * Entries of the navigation that are new, or whose page this change took away, without a page. Where a
 * build makes pages, a new entry may name one of these.
 */
export function navigationWithoutPage({ before, after }: Change): readonly Finding[] {
  const known = navigationNames(before);
  const seen = new Set<string>();
  return after.site.pages
    .filter(({ page }) => {
      const isFirst = !seen.has(page);
      seen.add(page);
      const isOld = (known.has(page) || isBuilt(before)) && !hasPage(before, page);
      return isFirst && !isOld && !hasPage(after, page) && !isApiPage(page, after.site);
    })
    .map(({ page, file, line }) => ({
      rule: 'navigation-without-page',
      file,
      line,
      what: `its navigation names ${page}, which does not exist`,
    }));
}
