import type { Change, DocsVersion } from '../change.ts';
import type { Page } from '../docs/page.ts';
import { belowRoot, type NavigationEntry, pageName, topOf } from '../docs/site.ts';
import { fateOf, found, type Place, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { andMore, say, unquoted } from '../sentence.ts';
import { minus, paired } from './items.ts';
import { type PageChange, pageChangesOf, pathBefore } from './page-changes.ts';

/** Entries of the navigation that are gone or in another group, and settings of groups. */
export function navigationChanged(change: Change): readonly RuleFinding[] {
  return [...changedEntries(change), ...groupSettings(change)];
}

/** Fields of front matter, and settings of groups, that decide who may read a page, and who finds it. */
const accessKey = /^(?:groups|public|hidden|noindex|url|canonical)$/u;

/** Settings of docs.json that decide who may read the site, and who finds it. */
const siteAccessKey = /^(?:seo|auth|public|noindex)$/u;

/**
 * Finds front matter that changes who may read or find its page. `navigationChanged` and `settingsChanged` find the
 * settings of groups and of the site that do so.
 */
export function accessChanged(change: Change): readonly RuleFinding[] {
  return pageChangesOf(change).flatMap((page) => pageAccess(page) ?? []);
}

function pageAccess({ file, before, after }: PageChange): RuleFinding | undefined {
  const fieldsOf = (page: Page) => page.frontMatter.filter(({ name }) => accessKey.test(name));
  const textOf = (page: Page) =>
    fieldsOf(page)
      .map(({ name, json }) => `${name}: ${json}`)
      .toSorted()
      .join('\n') || undefined;
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) {
    return undefined;
  }
  const place = { file: file.path, line: fieldsOf(after)[0]?.line };
  const versions = { before: was, after: is };
  const what = say`In the front matter, what decides who may read the page, or who finds it, ${fateOf(versions)}.`;
  return found('access-changed', place, what, versions);
}

/** Settings of docs.json that changed, apart from its navigation and its redirects. */
export function settingsChanged({ before, after }: Change): readonly RuleFinding[] {
  const [old, now] = [before.site.settings, after.site.settings];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key)?.json !== now.get(key)?.json)
    .map((key) => {
      const [was, is] = [old.get(key), now.get(key)];
      const versions = { before: was?.json, after: is?.json };
      return found(
        siteAccessKey.test(key) ? 'access-changed' : 'settings-changed',
        is?.place ?? topOf(after.site),
        say`The setting ${key} ${fateOf(versions)}.`,
        versions,
      );
    });
}

/** The entries of the navigation that named pages which are gone or moved. */
function pagesThatWent({ files, before, after }: Change): ReadonlySet<string> {
  const paths = files.map(pathBefore).filter((path) => !after.tree.has(path));
  return new Set(paths.map((path) => pageName(belowRoot(path, before.site))));
}

function nameOf({ kind, label }: NavigationEntry): string {
  return `${kind} ${label}`;
}

function keyOf(entry: NavigationEntry): string {
  return `${nameOf(entry)}\n${entry.trail}`;
}

function entriesOf({ site }: DocsVersion, isSetting: boolean): readonly NavigationEntry[] {
  return site.navigation.filter(
    ({ kind }) => kind !== 'group' && (kind === 'setting') === isSetting,
  );
}

/** A finding for each entry that is gone, and one for all entries that moved, or whose group has another name now. */
function changedEntries(change: Change): readonly RuleFinding[] {
  const [old, now] = [entriesOf(change.before, false), entriesOf(change.after, false)];
  const [lost, added] = [minus(old, now, keyOf), minus(now, old, keyOf)];
  const moved = paired(lost, added, nameOf);
  const went = pagesThatWent(change);
  const gone = minus(lost, added, nameOf)
    .filter(({ kind, label }) => kind !== 'page' || !went.has(label))
    .map(({ label, trail }) => {
      const place = placeOfGroup(trail, change.after);
      const what = say`${label} is gone from the navigation.`;
      return found('navigation-changed', place, what, { before: trail || undefined });
    });
  const [first, ...others] = moved;
  if (first === undefined) {
    return gone;
  }
  const { label, place } = first[1];
  const have = others.length === 0 ? 'has' : 'have';
  const what = say`${label}${andMore(others.length)} ${unquoted(have)} another place in the navigation.`;
  const [before, after] = [moved.map(([was]) => was), moved.map(([, is]) => is)].map((entries) =>
    entries.map((entry) => [entry.trail, entry.label].filter(Boolean).join(' › ')).join('\n'),
  );
  return [...gone, found('navigation-changed', place, what, { before, after })];
}

/** Where a group begins in the settings; if the group is gone, where the navigation begins. */
function placeOfGroup(trail: string, version: DocsVersion): Place {
  return placesOfGroups(version).get(trail) ?? version.site.navigationPlace;
}

/** Where the groups begin, by trail. If several groups have one trail, the first one counts. */
const placesOfGroups = oncePer(({ site }: DocsVersion) => {
  const groups = site.navigation.filter(({ kind }) => kind === 'group');
  return new Map(groups.toReversed().map(({ trail, place }) => [trail, place]));
});

/** Settings that decide only how a group looks. */
const looks = /^(?:icon|iconType|tag|description|expanded)$/u;

/** Changed settings of groups. A new group counts only for settings that decide who may read its pages. */
function groupSettings({ before, after }: Change): readonly RuleFinding[] {
  const groups = new Set(before.site.navigation.map(({ trail }) => trail));
  const [old, now] = [entriesOf(before, true), entriesOf(after, true)];
  const lost = new Set(minus(old, now, keyOf));
  const added = minus(now, old, keyOf);
  return [true, false].flatMap((isAccess) => {
    const changed = [...lost, ...added].filter(({ label, trail }) => {
      const [key = ''] = label.split(':');
      const isOther = !accessKey.test(key) && !looks.test(key) && groups.has(trail);
      return isAccess ? accessKey.test(key) : isOther;
    });
    return [...Map.groupBy(changed, ({ trail }) => trail)].map(([trail, entries]) => {
      const group = trail === '' ? say`the navigation` : say`the group ${trail}`;
      const what = isAccess
        ? say`Who may read the pages of ${group}, or who finds them, changed.`
        : say`The settings of ${group} changed.`;
      const textOf = (isLost: boolean) =>
        entries
          .filter((entry) => lost.has(entry) === isLost)
          .map(({ label }) => label)
          .join('\n') || undefined;
      const rule = isAccess ? 'access-changed' : 'navigation-changed';
      const versions = { before: textOf(true), after: textOf(false) };
      return found(rule, placeOfGroup(trail, after), what, versions);
    });
  });
}
