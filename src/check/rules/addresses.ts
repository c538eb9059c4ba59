import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { isApiPage, linksOf } from '../docs/links.ts';
import { destinationOf, maxRedirects } from '../docs/redirects.ts';
import {
  addressOf,
  addressOfPage,
  belowRoot,
  isKnown,
  pageName,
  placeInSettings,
  type Redirect,
  type Site,
} from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { isHidden, isOfApi, isShown, kindIn, pathBefore } from './page-changes.ts';
import { newItems } from './words.ts';

/** Addresses that led somewhere and lead nowhere now, and redirects that are no plain ones. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [
    ...deadPages(change).map((file) => deadPage(file, change)),
    ...changedSources(change),
    ...redirectFindings(change),
  ];
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  return (
    files
      .filter(({ status }) => status === 'deleted' || status === 'renamed')
      // A folder of docs that moved as a whole has a finding already.
      .filter(() => isKnown(after) && after.site.root === before.site.root)
      .filter((file) => wasKnownAs(pathBefore(file), before))
      .filter((file) => !linksOf(after).isRedirected(pathBefore(file)))
      .filter((file) => !isMadeNow(pathBefore(file), change))
  );
});

function deadPage(file: ChangedFile, { before, after }: Change): RuleFinding {
  const address = addressOfPage(pathBefore(file), before);
  const isMoved = file.status === 'renamed' && isShown(after, file.path);
  const what = isMoved
    ? say`${address} moved to ${addressOfPage(file.path, after)}, and the old address leads nowhere: add a redirect.`
    : say`${address} is gone and leads nowhere: add a redirect to the page that replaces it.`;
  return found('dead-address', { file: file.path }, what);
}

/** Whether the site makes a page of an operation by itself now, at the address of a page that showed it. */
function isMadeNow(path: string, { before, after }: Change): boolean {
  const name = addressOfPage(path, before).slice(1);
  return isOfApi(before.pages.get(path)) && isApiPage(name, after.site);
}

/**
 * Whether readers could know the address of a file. A page that the navigation did not name had few: that it
 * goes is a finding of another rule. Without a navigation, all pages count that are not hidden.
 */
function wasKnownAs(path: string, before: DocsVersion): boolean {
  const { pages } = before.site;
  const isNamed =
    pages.size === 0
      ? !isHidden(before.pages.get(path))
      : pages.has(addressOfPage(path, before).slice(1));
  return kindIn(before, path) === 'page' && isNamed;
}

/** Sources of redirects that lead nowhere or to another place, without them or in another order. */
function changedSources(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const added = new Set(newRedirects(change).map(({ source }) => source));
  const [file = ''] = after.site.files.keys();
  const kept = before.site.redirects.filter(({ source }) => !added.has(source) && isKnown(after));
  return kept.flatMap(({ source, destination }) => {
    const [was, is] = [before, after].map(({ site }) => destinationOf(source, site));
    if (was === is || leadsToSame([was ?? source, is ?? source], change)) {
      return [];
    }
    const [end, now] = [before, after].map((one) => linksOf(one).resolve(source, ''));
    if (end?.kind === 'nowhere') {
      return [];
    }
    if (now?.kind !== 'nowhere') {
      const what = say`${source} leads to another place now.`;
      return found('settings-changed', { file }, what, { before: was, after: is ?? '' });
    }
    return found(
      // Others may lead on from the addresses that one with a wildcard was for.
      /[*:]/u.test(source) ? 'settings-changed' : 'dead-address',
      { file },
      say`The redirect from ${source} to ${destination} is gone, so the address leads nowhere: put it back.`,
    );
  });
}

const newRedirects = oncePer(({ before, after }: Change) =>
  newItems(before.site.redirects, after.site.redirects, ({ source, destination }) =>
    JSON.stringify([pageName(source), destination]),
  ),
);

/**
 * The redirects that are new, or lead elsewhere now, and that cannot work (`dead-address`), or take readers to
 * another place than before (`settings-changed`).
 */
function redirectFindings(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const earlier = new Map(before.site.redirects.map((one) => [one.source, one.destination]));
  return newRedirects(change).flatMap((redirect) => {
    const { source, destination } = redirect;
    const place = placeInSettings(after.site, source);
    const bad = isKnown(after) ? whyBad(redirect, after) : undefined;
    if (bad !== undefined || isPlain(redirect, change)) {
      return bad === undefined ? [] : [found('dead-address', place, bad)];
    }
    const versions = { before: earlier.get(source), after: destination };
    const what = say`${source} redirects to ${destination} now, and not just for pages that this pull request moved.`;
    return [found('settings-changed', place, what, versions)];
  });
}

function whyBad(redirect: Redirect, after: DocsVersion): Sentence | undefined {
  const { source, destination } = redirect;
  if (isLoop(source.replace(/:\w+[*+]?|\*/gu, 'any'), after.site)) {
    return say`The redirect from ${source} to ${destination} comes back to where it began: redirect to a page.`;
  }
  if (hidesPage(redirect, after)) {
    return say`The redirect from ${source} to ${destination} hides the page at ${source}: remove one of them.`;
  }
  const end = linksOf(after).resolve(destination, '');
  return end.kind === 'nowhere' && !/[*:]/u.test(destination)
    ? say`The redirect from ${source} leads to ${destination}, where there is no page: redirect to a page.`
    : undefined;
}

/** Whether redirects lead on and on from an address; `/a` and `/a/index` are the same page to the site. */
function isLoop(address: string, site: Site, hops = 0): boolean {
  const [next] = destinationOf(address, site)?.split(/[?#]/u) ?? [];
  const isEnd = next === undefined || URL.canParse(next);
  return !isEnd && (hops >= maxRedirects || isLoop(next, site, hops + 1));
}

/** Whether a redirect takes readers away from a page that they could open. */
function hidesPage(redirect: Redirect, version: DocsVersion): boolean {
  const alone = { redirects: [redirect] };
  return [...version.tree.keys()].some(
    (path) =>
      isPagePath(path) &&
      destinationOf(belowRoot(path, version.site), alone) !== undefined &&
      kindIn(version, path) === 'page',
  );
}

/** Whether a redirect serves only readers of a page that this change moved, or takes them from nowhere to a page. */
function isPlain({ source, destination }: Redirect, change: Change): boolean {
  const links = linksOf(change.before);
  return (
    // A server may decode a source, and cut off its query, before it compares the path.
    addressOf(source) !== '' &&
    [source, destination].every(isPath) &&
    (leadsToSame([source, source], change) ||
      (links.resolve(source, '').kind === 'nowhere' &&
        links.resolve(destination, '').kind === 'page'))
  );
}

/** Whether an address led to a page, and another one leads there now. */
function leadsToSame(
  [address, other]: readonly [string, string],
  { files, before, after }: Change,
): boolean {
  const [was, is] = [linksOf(before).resolve(address, ''), linksOf(after).resolve(other, '')];
  const file = files.find((one) => was.kind === 'page' && pathBefore(one) === was.file);
  return (
    was.kind === 'page' &&
    is.kind === 'page' &&
    // That a page is deleted is a finding of its own.
    (file?.status === 'deleted' || is.file === (file?.path ?? was.file))
  );
}

/** Whether an address cannot leave the site: `/:path*` becomes `//host`, and some take `/\` for `//`. */
function isPath(address: string): boolean {
  return /^(?!\/\/)[\p{L}\p{M}\p{N}/._~#-]+$/u.test(address);
}
