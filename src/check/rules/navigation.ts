import type { Change, DocsVersion } from '../change.ts';
import { addressOfPage, isKnown, type NavigationEntry, placeInSettings } from '../docs/site.ts';
import { found, foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { say } from '../sentence.ts';
import { pathBefore } from './page-changes.ts';
import { newItems } from './words.ts';

type EntryPair = readonly [was: NavigationEntry, is: NavigationEntry];

/** How a group is shown, not who sees what. */
const plainSetting =
  /^(?:(?:icon|iconType|tag|description): "[\w. -]{0,80}"|expanded: (?:true|false)|(?:(?:language|version|product|tab|dropdown|anchor|group|page)s|navigation): \[\])$/u;

/** A name that readers see, and that Mintlify takes. */
const plainName = /^(?=.*\S)[^\p{C}\p{Default_Ignorable_Code_Point}]{1,80}$/u;

/**
 * How the entries of two navigations differ, apart from their order in a group. `moved` are those that stand in another
 * group, or in one with another name, as they were and as they are.
 */
export const navigationDifference = oncePer(({ before, after }: Change) => {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const [gone, added] = [newItems(now, old, entryKey), newItems(old, now, entryKey)];
  const left = Map.groupBy(added, entryName);
  const moved = gone.flatMap((was): readonly EntryPair[] => {
    // A setting belongs to its group.
    const is = was.kind === 'setting' ? undefined : left.get(entryName(was))?.shift();
    return is === undefined ? [] : [[was, is]];
  });
  const hasMoved = new Set(moved.flat());
  const isAlone = (entry: NavigationEntry) => !hasMoved.has(entry);
  return { added: added.filter(isAlone), gone: gone.filter(isAlone), moved };
});

function entriesOf({ site }: DocsVersion): readonly NavigationEntry[] {
  return site.navigation.filter(
    ({ kind, label }) =>
      !(kind === 'group' && plainName.test(label)) &&
      !(kind === 'setting' && plainSetting.test(label)),
  );
}

/** The groups around an entry; empty at the top. */
export function trailOf({ trails }: NavigationEntry): string {
  return trails.at(-1) ?? '';
}

function entryName({ kind, label }: NavigationEntry): string {
  return `${kind} ${label}`;
}

function entryKey(entry: NavigationEntry): string {
  return `${entryName(entry)}\n${trailOf(entry)}`;
}

/** Entries of the navigation that are in another group or gone, and another first page. */
export function navigationChanged(change: Change): readonly RuleFinding[] {
  return isKnown(change.after) ? [...changedEntries(change), ...movedEntries(change)] : [];
}

/** What `docs.json` says apart from its navigation and its redirects. */
export function settingsChanged({ before, after }: Change): readonly RuleFinding[] {
  if (!isKnown(after)) {
    const [file = ''] = after.site.files.keys();
    return [unjudged({ file }, say`the settings cannot be read, so they are not compared`)];
  }
  const [old, now] = [before.site.settings, after.site.settings];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => {
      const place = placeInSettings(after.site, key);
      const [was = '', is = ''] = [old.get(key), now.get(key)];
      return foundValue('settings-changed', place, say`The setting ${key}`, was, is);
    });
}

/** What a page that went or moved leaves behind belongs to the finding on that page. */
function changedEntries(change: Change): readonly RuleFinding[] {
  const { files, before, after } = change;
  const [[old = ''], [page = '']] = [before.site.pages, after.site.pages];
  const wentAway = files.map(pathBefore).filter((path) => !after.tree.has(path));
  const went = new Set(wentAway.map((path) => addressOfPage(path, before).slice(1)));
  const place = placeInSettings(after.site, page);
  const what = say`The site opens with ${page} now.`;
  const isSameStart = old === '' || old === page || went.has(old);
  const gone = navigationDifference(change).gone.filter(
    ({ kind, label }) => kind !== 'page' || !went.has(label),
  );
  return [
    ...(isSameStart
      ? []
      : [found('navigation-changed', place, what, { before: old, after: page })]),
    ...gone.map((entry) => goneEntry(entry, after)),
  ];
}

function goneEntry(entry: NavigationEntry, { site }: DocsVersion): RuleFinding {
  const { kind, label } = entry;
  const trail = trailOf(entry);
  const what =
    kind === 'setting'
      ? say`${trail === '' ? say`The navigation` : say`The group ${trail}`} does not say ${label} any more.`
      : say`${label} is gone from the navigation.`;
  const place = placeInSettings(site, trail.split(' › ').at(-1) || 'navigation');
  return found('navigation-changed', place, what, { before: trail || undefined });
}

/** One finding for all entries that stand in another group. */
function movedEntries(change: Change): readonly RuleFinding[] {
  const { moved } = navigationDifference(change);
  const [first, ...others] = moved;
  if (first === undefined) {
    return [];
  }
  const { label } = first[1];
  const what =
    others.length === 0
      ? say`${label} has another place in the navigation.`
      : say`${moved.length} entries have another place in the navigation, ${label} among them.`;
  const [before, after] = [moved.map(([was]) => was), moved.map(([, is]) => is)].map((entries) =>
    entries.map((entry) => [trailOf(entry), entry.label].filter(Boolean).join(' › ')).join('\n'),
  );
  const place = placeInSettings(change.after.site, label);
  return [found('navigation-changed', place, what, { before, after })];
}
