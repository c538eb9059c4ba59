import type { Change } from '../change.ts';
import { addressOfPage, type NavigationNode, placeInSettings } from '../docs/site.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { pathBefore } from './page-changes.ts';
import { newItems } from './text.ts';

/** What the navigation names: a page, link, endpoint or group, or what a group says of itself. */
export interface Entry {
  readonly kind: NavigationNode['kind'] | 'setting';
  /** That of the node; of a setting, its key and value, such as `hidden: true`. */
  readonly label: string;
  /** The groups that it stands in, and a group itself, from the outermost one: `API`, `API › Users`. */
  readonly trails: readonly string[];
}

type EntryPair = readonly [was: Entry, is: Entry];

/**
 * How two versions of the navigation differ, apart from the order of entries in a group. The trails of old
 * entries have the names that the groups have now.
 */
export interface NavigationDifference {
  readonly added: readonly Entry[];
  readonly gone: readonly Entry[];
  /** Entries that stand in another group, as they were and as they are. */
  readonly moved: readonly EntryPair[];
  /** Settings of a group that have another value, as they were and as they are. */
  readonly changed: readonly EntryPair[];
  /** The names that groups have now, by those that they had. */
  readonly names: ReadonlyMap<string, string>;
}

/** Longer trails would take too much memory. */
const maxDepth = 20;
const maxNameLength = 100;

/** How a group is shown, not who sees what. */
const plainSetting =
  /^(?:icon|iconType|tag|expanded|description): (?:"[\w. -]{0,80}"|true|false)$/u;

/** Compares the navigation as a list of entries. */
export const navigationDifference = oncePer(({ before, after }: Change): NavigationDifference => {
  const now = entriesOf(after.site.navigation);
  const was = entriesOf(before.site.navigation);
  const names = newNames(was, now);
  const old = was.map((entry) => ({
    ...entry,
    trails: entry.trails.map((trail) => names.get(trail) ?? trail),
  }));
  const all = { gone: newItems(now, old, keyOf), added: newItems(old, now, keyOf) };
  const { pairs: changed, ...others } = paired(all, (entry) =>
    entry.kind === 'setting' ? `${entry.label.split(':', 1)}\n${trailOf(entry)}` : undefined,
  );
  const { pairs: moved, ...rest } = paired(others, (entry) =>
    entry.kind === 'group' ? undefined : nameOf(entry),
  );
  return { ...rest, moved, changed, names };
});

/** Pairs entries with the same key, in their order. What has no key has no pair. */
function paired(
  { gone, added }: Pick<NavigationDifference, 'gone' | 'added'>,
  keyOf: (entry: Entry) => string | undefined,
) {
  const byKey = Map.groupBy(added, keyOf);
  const pairs = gone.flatMap((was) => {
    const key = keyOf(was);
    const is = key === undefined ? undefined : byKey.get(key)?.shift();
    return is === undefined ? [] : [[was, is] as const];
  });
  const inPairs = new Set(pairs.flat());
  const isAlone = (entry: Entry) => !inPairs.has(entry);
  return { pairs, gone: gone.filter(isAlone), added: added.filter(isAlone) };
}

function entriesOf(
  nodes: readonly NavigationNode[],
  trails: readonly string[] = [],
): readonly Entry[] {
  return nodes.flatMap(({ kind, label, settings = {}, children }): readonly Entry[] => {
    if (kind !== 'group') {
      return [{ kind, label, trails }];
    }
    const name = label.slice(0, maxNameLength);
    const own = [...trails, trails.length === 0 ? name : `${trails.at(-1)} › ${name}`];
    const said = Object.entries(settings)
      .map(([key, json]) => `${key}: ${json}`)
      .filter((setting) => !plainSetting.test(setting))
      .map((setting): Entry => ({ kind: 'setting', label: setting, trails: own }));
    const below = own.length < maxDepth ? entriesOf(children, own) : [];
    return [{ kind, label, trails: own }, ...said, ...below];
  });
}

/**
 * A group is renamed if there is none at its place under the old name any more, if there was none under the
 * new one, and if something that stood in it stands there now. What stands in it has not moved then.
 */
function newNames(old: readonly Entry[], now: readonly Entry[]): ReadonlyMap<string, string> {
  const [before, after] = [new Set(old.map(trailOf)), new Set(now.map(trailOf))];
  const gone = new Set([...before].filter((trail) => !after.has(trail)));
  const fresh = new Set([...after].filter((trail) => !before.has(trail)));
  const places = new Map(
    now.filter((entry) => fresh.has(trailOf(entry))).map((entry) => [nameOf(entry), entry.trails]),
  );
  const names = new Map<string, string>();
  for (const entry of old.filter(({ kind }) => kind !== 'group')) {
    const place = places.get(nameOf(entry)) ?? [];
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
export function trailOf({ trails }: Entry): string {
  return trails.at(-1) ?? '';
}

function nameOf({ kind, label }: Entry): string {
  return `${kind} ${label}`;
}

/** Two groups of one name at one place are the same. */
function keyOf(entry: Entry): string {
  return `${entry.kind === 'group' ? '' : nameOf(entry)}\n${trailOf(entry)}`;
}

/** Entries of the navigation that are in another group or gone, and another first page. */
export function navigationChanged(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  if (before.site.navigationJson === after.site.navigationJson) {
    return [];
  }
  const [old, now] = [before, after].map(({ site }) => JSON.stringify(site.navigation));
  const place = placeInSettings(after.site, '', 'navigation');
  return old === now
    ? [unjudged(place, say`the navigation changed in a way that the check cannot read`)]
    : [...changedEntries(change), ...movedEntries(change)];
}

/** What a page that went or moved leaves behind belongs to the finding on that page. */
function changedEntries(change: Change): readonly RuleFinding[] {
  const { files, before, after } = change;
  const [[old = ''], [page = '']] = [before.site.pages, after.site.pages];
  const went = new Set(
    files
      .map(pathBefore)
      .filter((path) => !after.tree.has(path))
      .map((path) => addressOfPage(path, before).slice(1)),
  );
  const isSameStart = old === '' || old === page || went.has(old);
  return [
    ...(isSameStart
      ? []
      : [foundEntry(change, page, say`The site opens with ${page} now.`, old, page)]),
    ...navigationDifference(change)
      .gone.filter(({ kind, label }) => kind !== 'group' && !(kind === 'page' && went.has(label)))
      .map((entry) => {
        const what =
          entry.kind === 'setting'
            ? say`The group ${trailOf(entry)} does not say ${entry.label} any more.`
            : say`${entry.label} is gone from the navigation.`;
        return foundEntry(change, entry.label, what, trailOf(entry), '');
      }),
  ];
}

/** One finding for all entries that went from one group to the same other one. */
function movedEntries(change: Change): readonly RuleFinding[] {
  const { moved } = navigationDifference(change);
  const ways = Map.groupBy(moved, (pair) => pair.map(trailOf).join('\n'));
  return [...ways.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const [was, is] = first;
    const what =
      others.length === 0
        ? say`${is.label} has another place in the navigation.`
        : say`${others.length + 1} entries have another place in the navigation, ${is.label} among them.`;
    return [foundEntry(change, is.label, what, trailOf(was), trailOf(is))];
  });
}

function foundEntry(
  change: Change,
  label: string,
  what: Sentence,
  before: string,
  after: string,
): RuleFinding {
  const versions = { before: before || undefined, after: after || undefined };
  const { site } = change.after;
  const own = placeInSettings(site, label);
  // What is gone stood in its group.
  const group = before.split(' › ').at(-1) ?? '';
  const around = placeInSettings(site, group, group === '' ? 'navigation' : '');
  const place = own.line === undefined ? around : own;
  return found('navigation-changed', place, what, versions);
}
