import { isDeepStrictEqual } from 'node:util';
import type { Change, DocsVersion } from '../change.ts';
import { addressOfPage, type NavigationEntry, placeInSettings } from '../docs/site.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { say } from '../sentence.ts';
import { pathBefore } from './page-changes.ts';
import { newItems } from './words.ts';

type EntryPair = readonly [was: NavigationEntry, is: NavigationEntry];

/**
 * How the entries of two navigations differ, apart from their order in a group. Groups are no entries: the
 * trails of old entries have the names that the groups have now.
 */
interface NavigationDifference {
  readonly added: readonly NavigationEntry[];
  readonly gone: readonly NavigationEntry[];
  /** Entries that stand in another group, as they were and as they are. */
  readonly moved: readonly EntryPair[];
}

/** How a group is shown, not who sees what. */
const plainSetting =
  /^(?:(?:icon|iconType|tag|description): "[\w. -]{0,80}"|expanded: (?:true|false)|\w+: \[\])$/u;

/** A name that readers see, and that Mintlify takes. */
const plainName = /^(?=.*\S)[^\p{C}\p{Default_Ignorable_Code_Point}]{1,80}$/u;

/** Compares the navigation as a list of entries. */
export const navigationDifference = oncePer(({ before, after }: Change): NavigationDifference => {
  const [was, now] = [entriesOf(before), entriesOf(after)];
  const names = newNames(was, now);
  const old = was.map((entry) => ({
    ...entry,
    trails: entry.trails.map((trail) => names.get(trail) ?? trail),
  }));
  const [gone, added] = [newItems(now, old, entryKey), newItems(old, now, entryKey)];
  const left = Map.groupBy(added, entryName);
  const moved = gone.flatMap((was): readonly EntryPair[] => {
    // A setting belongs to its group.
    const is = was.kind === 'setting' ? undefined : left.get(entryName(was))?.shift();
    return is === undefined ? [] : [[was, is]];
  });
  const inPairs = new Set(moved.flat());
  const isAlone = (entry: NavigationEntry) => !inPairs.has(entry);
  return { added: added.filter(isAlone), gone: gone.filter(isAlone), moved };
});

function entriesOf({ site }: DocsVersion): readonly NavigationEntry[] {
  return site.navigation.filter(
    ({ kind, label }) =>
      !(kind === 'group' && plainName.test(label)) &&
      !(kind === 'setting' && plainSetting.test(label)),
  );
}

/**
 * A group is renamed if there is none at its place under the old name any more, if there was none under the
 * new one, and if something that stood in it stands there now. What stands in it has not moved then.
 */
function newNames(
  old: readonly NavigationEntry[],
  now: readonly NavigationEntry[],
): ReadonlyMap<string, string> {
  const trailsOf = (all: typeof now) => new Set(all.flatMap(({ trails }) => trails));
  const [before, after] = [trailsOf(old), trailsOf(now)];
  const gone = new Set([...before].filter((trail) => !after.has(trail)));
  const fresh = new Set([...after].filter((trail) => !before.has(trail)));
  // What stands deeper now stands in one group more, such as a language.
  const placeOf = (entry: NavigationEntry) => `${entryName(entry)}\n${entry.trails.length}`;
  const places = new Map(now.map((entry) => [placeOf(entry), entry.trails]));
  const names = new Map<string, string>();
  for (const entry of old) {
    const place = places.get(placeOf(entry)) ?? [];
    for (const [depth, trail] of entry.trails.entries()) {
      const name = place[depth];
      const above = entry.trails[depth - 1] ?? '';
      const isSamePlace = (names.get(above) ?? above) === (place[depth - 1] ?? '');
      if (name !== undefined && isSamePlace && gone.has(trail) && fresh.has(name)) {
        names.set(trail, name);
        gone.delete(trail);
        fresh.delete(name);
      }
    }
  }
  return names;
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
  const { before, after } = change;
  if (before.site.navigationJson === after.site.navigationJson) {
    return [];
  }
  const place = placeInSettings(after.site, '', 'navigation');
  return isDeepStrictEqual(before.site.navigation, after.site.navigation)
    ? [unjudged(place, say`the navigation changed in a way that the check cannot read`)]
    : [...changedEntries(change), ...movedEntries(change)];
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
      ? say`The group ${trail} does not say ${label} any more.`
      : say`${label} is gone from the navigation.`;
  const group = trail.split(' › ').at(-1) ?? '';
  const place = placeInSettings(site, group, group === '' ? 'navigation' : '');
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
