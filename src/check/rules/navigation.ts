import type { Change } from '../change.ts';
import { type NavigationNode, placeInSettings } from '../docs/site.ts';
import { found, type RuleFinding, unjudged, type Versions } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOfPage } from './addresses.ts';
import { pathBefore } from './page-changes.ts';

/** An entry of the navigation that is new, and the group that it stands in. */
export interface NewEntry {
  readonly node: NavigationNode;
  /** The names of the groups around it. */
  readonly trail: string;
}

/** Something that happened to an entry: a page, a link, a group or an endpoint, as the navigation names it. */
interface EntryChange extends Versions {
  readonly entry: string;
  readonly what: Sentence;
}

/** How two versions of the navigation differ. */
export interface NavigationDifference {
  readonly added: readonly NewEntry[];
  readonly changes: readonly EntryChange[];
}

/** What a group may say of itself without a look: how it is shown, not who sees what. */
export const plainGroupKeys: ReadonlySet<string> = new Set([
  'icon',
  'iconType',
  'tag',
  'expanded',
  'description',
]);

/** Deeper navigation is not compared, so that a crafted one cannot exhaust the stack. */
const maxDepth = 20;

/** Entries of the navigation that are in another group or gone, another first page, and what groups say of themselves. */
export function navigationChanged(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  if (before.site.navigationJson === after.site.navigationJson) {
    return [];
  }
  const { changes } = navigationDifference(change);
  const [old, now] = [before, after].map(({ site }) => JSON.stringify(site.navigation));
  const hasTreeChanged = old !== now;
  return [
    ...changes.map(({ entry, what, ...versions }) =>
      found('navigation-changed', placeInSettings(after.site, entry), what, versions),
    ),
    ...(hasTreeChanged
      ? []
      : [
          unjudged(
            placeInSettings(after.site, '', 'navigation'),
            say`the navigation changed in a way that the check cannot read`,
          ),
        ]),
  ];
}

/** Compares the navigation. What a page that went or moved leaves behind belongs to the finding on that page. */
export const navigationDifference = oncePer((change: Change): NavigationDifference => {
  const { before, after, files } = change;
  const went = new Set(
    files
      .map(pathBefore)
      .filter((path) => !after.tree.has(path))
      .map((path) => addressOfPage(path, before).slice(1)),
  );
  const comparison = new Comparison();
  comparison.compare(before.site.navigation, after.site.navigation, '', 0);
  const { removed, added, others } = comparison;
  const addedBy = Map.groupBy(added, ({ node }) => `${node.kind} ${node.label}`);
  const changes = removed.flatMap(({ node, trail }): readonly EntryChange[] => {
    const now = addedBy.get(`${node.kind} ${node.label}`)?.shift();
    if (now === undefined && node.kind === 'page' && went.has(node.label)) {
      return [];
    }
    const what =
      now === undefined
        ? say`${node.label} is gone from the navigation.`
        : say`${node.label} has another place in the navigation.`;
    return [{ entry: node.label, what, ...shown(trail, now?.trail) }];
  });
  return {
    added: [...addedBy.values()].flat(),
    changes: [...firstPage(before.site.pages, after.site.pages, went), ...changes, ...others],
  };
});

type Pages = Change['before']['site']['pages'];

function firstPage(
  [old = '']: Pages,
  [entry = '']: Pages,
  went: ReadonlySet<string>,
): readonly EntryChange[] {
  return old === '' || old === entry || went.has(old)
    ? []
    : [{ entry, what: say`The site opens with ${entry} now.`, ...shown(old, entry) }];
}

/** What stood there and stands there now, as far as there is something to show. */
function shown(before: string | undefined, after: string | undefined): Versions {
  return { before: before || undefined, after: after || undefined };
}

/** Compares two trees: groups by their names, or else by what stands in them. */
class Comparison {
  readonly removed: NewEntry[] = [];
  readonly added: NewEntry[] = [];
  readonly others: EntryChange[] = [];

  compare(
    before: readonly NavigationNode[],
    after: readonly NavigationNode[],
    trail: string,
    depth: number,
  ): void {
    if (depth > maxDepth) {
      return;
    }
    const left = new Set(after);
    const pairs = new Map<NavigationNode, NavigationNode>();
    for (const pairing of [isSame, isRenamed]) {
      for (const old of before.filter((one) => !pairs.has(one))) {
        const now = [...left].find((one) => pairing(old, one));
        if (now !== undefined) {
          left.delete(now);
          pairs.set(old, now);
        }
      }
    }
    for (const old of before) {
      const now = pairs.get(old);
      if (now === undefined) {
        this.removed.push(...leavesOf(old, trail));
      } else {
        this.compareGroups(old, now, trail, depth);
      }
    }
    this.added.push(...[...left].flatMap((node) => leavesOf(node, trail)));
  }

  private compareGroups(
    old: NavigationNode,
    now: NavigationNode,
    trail: string,
    depth: number,
  ): void {
    if (old.kind !== 'group') {
      return;
    }
    const [was, is] = [old.settings ?? {}, now.settings ?? {}];
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (was[key] !== is[key] && !plainGroupKeys.has(key)) {
        const [before, after] = [was, is].map((one) => one[key] && `${key}: ${one[key]}`);
        this.others.push({
          entry: now.label,
          what: say`The group ${now.label} has other settings.`,
          ...shown(before, after),
        });
      }
    }
    this.compare(old.children, now.children, join(trail, now.label), depth + 1);
  }
}

function isSame(old: NavigationNode, now: NavigationNode): boolean {
  return old.kind === now.kind && old.label === now.label;
}

/** A group with another name that has half of what stood in it. */
function isRenamed(old: NavigationNode, now: NavigationNode): boolean {
  if (old.kind !== 'group' || now.kind !== 'group') {
    return false;
  }
  const wanted = new Set(leavesOf(old, '').map(({ node }) => node.label));
  const shared = leavesOf(now, '').filter(({ node }) => wanted.has(node.label)).length;
  return shared > 0 && shared * 2 >= wanted.size;
}

function leavesOf(node: NavigationNode, trail: string, depth = 0): readonly NewEntry[] {
  const own = node.kind !== 'group' || node.settings !== undefined ? [{ node, trail }] : [];
  const below = depth > maxDepth ? [] : node.children;
  return [...own, ...below.flatMap((child) => leavesOf(child, join(trail, node.label), depth + 1))];
}

function join(trail: string, label: string): string {
  return trail === '' ? label : `${trail} › ${label}`;
}
