import type { Change, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { hasWildcard, isOnOtherHost } from '../docs/redirects.ts';
import { addressOfPage, isInNavigation, type Redirect, type Site, topOf } from '../docs/site.ts';
import { fateOf, found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { andMore, say } from '../sentence.ts';
import { newlyBroken, type Side } from './broken-links.ts';
import { canCompareSettings, isOn, isShown, kindIn, pathBefore } from './page-changes.ts';

/** Pages whose address leads nowhere now, redirects that do not work, and redirects that people should know of. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  const redirects = deadRedirects(change);
  return [
    ...deadPages(change).map((path) => deadPage(path, change)),
    ...redirects.values(),
    ...wideRedirects(change, redirects),
  ];
}

/**
 * The pages whose address led to them before and leads nowhere now, by path before the change. An unchanged file is one
 * of them if `.mintignore` names it now.
 */
export const deadPages = oncePer((change: Change): readonly string[] => {
  const { files, before, after } = change;
  // A folder of docs that moved as a whole has a finding already.
  if (!canCompareSettings(change) || after.site.root !== before.site.root) {
    return [];
  }
  const paths = new Set([...files.map(pathBefore), ...after.tree.keys()]);
  return [...paths]
    .filter((path) => before.tree.has(path) && wasKnownAs(path, before))
    .filter((path) => !linksOf(after).leadsOn(path));
});

function deadPage(path: string, { files, before, after }: Change): RuleFinding {
  const address = addressOfPage(path, before);
  const file = files.find(({ previousPath }) => previousPath === path)?.path ?? path;
  const what =
    file !== path && isShown(after, file)
      ? say`${address} moved to ${addressOfPage(file, after)}, and the old address leads nowhere: add a redirect.`
      : say`${address} is gone and leads nowhere: add a redirect to the page that replaces it.`;
  return found('dead-address', { file }, what);
}

/**
 * Whether readers could know the address of a file. A page that the navigation did not name had few readers, and is
 * only `gone`. Without a navigation, every page counts that is not hidden.
 */
function wasKnownAs(path: string, before: DocsVersion): boolean {
  const isPublic = before.site.pages.size > 0 || !isOn(before.pages.get(path), 'hidden');
  return kindIn(before, path) === 'page' && isInNavigation(path, before) && isPublic;
}

/** The redirects by source. Of two from the same address, the first one counts. */
function firstRedirects({ redirects }: Site): ReadonlyMap<string, Redirect> {
  const first = new Map<string, Redirect>();
  for (const redirect of redirects) {
    first.set(redirect.source, first.get(redirect.source) ?? redirect);
  }
  return first;
}

/** The finding about each redirect that does not work, by its source. In a loop, that is the finding about the loop. */
function deadRedirects(change: Change): ReadonlyMap<string, RuleFinding> {
  const [old, now] = [redirectSide(change.before), redirectSide(change.after)];
  const broken = newlyBroken(old, now).map(({ reference: { source = '', place }, what }) => {
    return [source, found('dead-address', place, what)] as const;
  });
  return new Map([...hidingRedirects(change), ...goneRedirects(change), ...broken]);
}

function redirectSide(version: DocsVersion): Side {
  const redirects = [...firstRedirects(version.site).values()];
  const references = redirects.map(({ source, destination, place }) => {
    return { kind: 'redirect', target: destination, source, place } as const;
  });
  return { references, version };
}

type BySource = readonly (readonly [source: string, finding: RuleFinding])[];

/** Redirects that take readers away from pages that they could open before, or that are new. */
function hidingRedirects({ before, after }: Change): BySource {
  const pages = [...after.tree.keys()]
    .filter((path) => isPagePath(path) && kindIn(after, path) === 'page')
    .filter((path) => !before.tree.has(path) || linksOf(before).redirectOf(path) === undefined);
  const hidden = Map.groupBy(pages, (path) => linksOf(after).redirectOf(path));
  return [...hidden].flatMap(([redirect, [first = '', ...others]]) => {
    if (redirect === undefined) {
      return [];
    }
    const { source, destination, place } = redirect;
    const hides = say`hides the page at ${addressOfPage(first, after)}${andMore(others.length)}`;
    const what = say`The redirect from ${source} to ${destination} ${hides}: remove the redirect, or what it hides.`;
    return [[source, found('dead-address', place, what)] as const];
  });
}

/** Redirects that are gone, so that their addresses lead nowhere. Nobody knows which addresses a wildcard was for. */
function goneRedirects({ before, after }: Change): BySource {
  const left = firstRedirects(after.site);
  const leads = (version: DocsVersion, source: string) =>
    linksOf(version).resolve(source, '').kind !== 'nowhere';
  return [...firstRedirects(before.site).values()]
    .filter(({ source }) => !left.has(source) && !hasWildcard(source))
    .filter(({ source }) => leads(before, source) && !leads(after, source))
    .map(({ source, destination }) => {
      const what = say`The redirect from ${source} to ${destination} is gone, so the address leads nowhere: put it back.`;
      return [source, found('dead-address', topOf(after.site), what)];
    });
}

/** One finding for all other redirects that changed, and have a wildcard or lead to another host. */
function wideRedirects(
  { before, after }: Change,
  dead: ReadonlyMap<string, RuleFinding>,
): readonly RuleFinding[] {
  const [old, now] = [firstRedirects(before.site), firstRedirects(after.site)];
  const [first, ...others] = [...new Set([...now.keys(), ...old.keys()])]
    .map((source) => ({ source, was: old.get(source), is: now.get(source) }))
    .filter(({ source, was, is }) => !dead.has(source) && was?.destination !== is?.destination)
    .filter(
      ({ source, was, is }) =>
        hasWildcard(source) ||
        [was, is].some((one) => one !== undefined && isOnOtherHost(one.destination)),
    );
  if (first === undefined) {
    return [];
  }
  const linesOf = (side: 'was' | 'is') =>
    [first, ...others]
      .flatMap(({ source, [side]: one }) => (one ? `${source} → ${one.destination}` : []))
      .join('\n') || undefined;
  const versions = { before: linesOf('was'), after: linesOf('is') };
  const what = say`A redirect with a wildcard or to another host ${fateOf(versions)}: from ${first.source}${andMore(others.length)}.`;
  return [found('settings-changed', first.is?.place ?? topOf(after.site), what, versions)];
}
