import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { hasWildcard, isOnOtherHost } from '../docs/redirects.ts';
import { addressOfPage, isInNavigation, type Redirect, type Site, topOf } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { andMore, type Sentence, say } from '../sentence.ts';
import { newlyBroken, type Side } from './broken-links.ts';
import { canCompareSettings, isOn, isShown, kindIn, pathBefore } from './page-changes.ts';

/** Addresses that led somewhere and lead nowhere now, redirects that do not work, and redirects that people should know of. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [...deadPages(change).map((file) => deadPage(file, change)), ...redirectFindings(change)];
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  // A folder of docs that moved as a whole has a finding already.
  if (!canCompareSettings(change) || after.site.root !== before.site.root) {
    return [];
  }
  return files
    .filter(({ status }) => status === 'deleted' || status === 'renamed')
    .filter((file) => wasKnownAs(pathBefore(file), before))
    .filter((file) => !linksOf(after).isRedirected(pathBefore(file)));
});

function deadPage(file: ChangedFile, { before, after }: Change): RuleFinding {
  const address = addressOfPage(pathBefore(file), before);
  const isMoved = file.status === 'renamed' && isShown(after, file.path);
  const what = isMoved
    ? say`${address} moved to ${addressOfPage(file.path, after)}, and the old address leads nowhere: add a redirect.`
    : say`${address} is gone and leads nowhere: add a redirect to the page that replaces it.`;
  return found('dead-address', { file: file.path }, what);
}

/**
 * Whether readers could know the address of a file. A page that the navigation did not name had few readers, and is
 * only `gone`. Without a navigation, every page counts that is not hidden.
 */
function wasKnownAs(path: string, before: DocsVersion): boolean {
  const isOpen = before.site.pages.size > 0 || !isOn(before.pages.get(path), 'hidden');
  return kindIn(before, path) === 'page' && isInNavigation(path, before) && isOpen;
}

/** The redirect from an address in each version; `undefined` if the version has none. */
interface RedirectChange {
  readonly source: string;
  readonly was: Redirect | undefined;
  readonly is: Redirect | undefined;
}

/** The redirects that do not work, and one finding about all others that changed and can lead readers far away. */
function redirectFindings(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const [old, now] = [firstRedirects(before.site), firstRedirects(after.site)];
  const hidden = hiddenPages(change);
  const all = [...after.site.redirects, ...before.site.redirects];
  const redirects = [...new Set(all.map(({ source }) => source))].map((source) => {
    const redirect = { source, was: old.get(source), is: now.get(source) };
    return { ...redirect, dead: deadRedirect(redirect, hidden, change) };
  });
  return [
    ...redirects.flatMap(({ dead }) => dead ?? []),
    ...wideRedirects(
      redirects.filter(({ dead }) => dead === undefined),
      after.site,
    ),
  ];
}

/** The redirects by source. Of two from the same address, the first one counts. */
function firstRedirects({ redirects }: Site): ReadonlyMap<string, Redirect> {
  return new Map(redirects.toReversed().map((redirect) => [redirect.source, redirect]));
}

/** A redirect that leads nowhere or in a loop, that hides pages, or that is gone so that its address leads nowhere. */
function deadRedirect(
  { source, was, is }: RedirectChange,
  hidden: ReadonlyMap<Redirect | undefined, readonly string[]>,
  { before, after }: Change,
): RuleFinding | undefined {
  if (is !== undefined) {
    const [broken] = newlyBroken(redirectSide(was, before), redirectSide(is, after));
    const what = broken?.what ?? hidingSentence(is, hidden.get(is) ?? [], after);
    return what && found('dead-address', is.place, what);
  }
  const [led, leads] = [before, after].map(
    (version) => linksOf(version).resolve(source, '').kind !== 'nowhere',
  );
  // Nobody knows which of the addresses that a pattern matched were used.
  if (was === undefined || hasWildcard(source) || !led || leads) {
    return undefined;
  }
  const what = say`The redirect from ${source} to ${was.destination} is gone, so the address leads nowhere: put it back.`;
  return found('dead-address', topOf(after.site), what);
}

function redirectSide(redirect: Redirect | undefined, version: DocsVersion): Side {
  if (redirect === undefined) {
    return { references: [], version };
  }
  const { source, destination, place } = redirect;
  return { references: [{ kind: 'redirect', target: destination, source, place }], version };
}

/** For each redirect: the pages that readers cannot open because of it, if they could before, or if the pages are new. */
function hiddenPages({ before, after }: Change): ReadonlyMap<Redirect | undefined, string[]> {
  const pages = [...after.tree.keys()]
    .filter((path) => isPagePath(path) && kindIn(after, path) === 'page')
    .filter((path) => !before.tree.has(path) || linksOf(before).redirectOf(path) === undefined);
  return Map.groupBy(pages, (path) => linksOf(after).redirectOf(path));
}

function hidingSentence(
  { source, destination }: Redirect,
  [first, ...others]: readonly string[],
  version: DocsVersion,
): Sentence | undefined {
  if (first === undefined) {
    return undefined;
  }
  const pages = say`the page at ${addressOfPage(first, version)}${andMore(others.length)}`;
  return say`The redirect from ${source} to ${destination} hides ${pages}: remove the redirect, or what it hides.`;
}

/** One finding for all redirects that changed, and have a wildcard or lead to another host. */
function wideRedirects(redirects: readonly RedirectChange[], site: Site): readonly RuleFinding[] {
  const [first, ...others] = redirects
    .filter(({ was, is }) => was?.destination !== is?.destination)
    .filter(
      ({ source, was, is }) =>
        hasWildcard(source) ||
        [was, is].some((one) => one !== undefined && isOnOtherHost(one.destination)),
    );
  if (first === undefined) {
    return [];
  }
  const what = say`The redirect from ${first.source}${andMore(others.length)}, with a wildcard or to another host, changed.`;
  const linesOf = (side: 'was' | 'is') =>
    [first, ...others]
      .flatMap(({ source, [side]: one }) => (one ? `${source} → ${one.destination}` : []))
      .join('\n') || undefined;
  const versions = { before: linesOf('was'), after: linesOf('is') };
  return [found('settings-changed', first.is?.place ?? topOf(site), what, versions)];
}
