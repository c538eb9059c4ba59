import { isDeepStrictEqual } from 'node:util';
import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { destinationOf, maxRedirects } from '../docs/redirects.ts';
import {
  addressOfPage,
  belowRoot,
  isKnown,
  placeInSettings,
  type Redirect,
  type Site,
} from '../docs/site.ts';
import { found, foundValue, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { isHidden, isShown, kindIn, pathBefore } from './page-changes.ts';

/** Addresses that led somewhere and lead nowhere now, and redirects that are no plain ones. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [...deadPages(change).map((file) => deadPage(file, change)), ...redirectFindings(change)];
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  // A folder of docs that moved as a whole has a finding already.
  if (!isKnown(after) || after.site.root !== before.site.root) {
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

/**
 * What the redirects, also by their order, make of an address: one that cannot work, or leads nowhere without its
 * redirect (`dead-address`), or one with a wildcard or to another host (`settings-changed`).
 */
function redirectFindings(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const [old, now] = [before.site.redirects, after.site.redirects];
  // Most changes leave the redirects alone, of which there can be thousands.
  const all = isKnown(after) && !isDeepStrictEqual(old, now) ? [...now, ...old] : [];
  // Of two from the same address, the first one counts.
  const firsts = new Map(all.toReversed().map((redirect) => [redirect.source, redirect]));
  const changed = [...firsts.values()].flatMap(
    (redirect) => changedRedirect(redirect, change) ?? [],
  );
  const dead = changed.flatMap(({ bad, isOpen, source }) =>
    bad === undefined
      ? []
      : found(
          isOpen ? 'settings-changed' : 'dead-address',
          placeInSettings(after.site, source),
          bad,
        ),
  );
  return [
    ...dead,
    ...otherTargets(
      changed.filter(({ bad }) => bad === undefined),
      change,
    ),
  ];
}

/** A redirect that does something else now, or is new or gone. */
interface ChangedRedirect {
  readonly source: string;
  /** Where its address led before, and leads now. */
  readonly was: string | undefined;
  readonly is: string | undefined;
  readonly bad: Sentence | undefined;
  /** Whether others may lead on from the addresses that it was for. */
  readonly isOpen: boolean;
}

function changedRedirect(redirect: Redirect, change: Change): ChangedRedirect | undefined {
  const { source } = redirect;
  const [was, is] = [change.before, change.after].map(
    // A pattern that is too long for the check matches nothing, not even itself.
    ({ site }) =>
      destinationOf(source, site) ??
      site.redirects.find((one) => one.source === source)?.destination,
  );
  const isOpen = is === undefined && hasWildcard(source);
  return was === is ? undefined : { source, was, is, bad: whyBad(redirect, change), isOpen };
}

/** One finding for all redirects that have a wildcard or lead to another host. */
function otherTargets(
  changed: readonly ChangedRedirect[],
  { after }: Change,
): readonly RuleFinding[] {
  const wide = changed.filter(
    ({ source, was, is }) => hasWildcard(source) || isOtherHost(was) || isOtherHost(is),
  );
  const [first, ...others] = wide;
  if (first === undefined) {
    return [];
  }
  const place = placeInSettings(after.site, first.source);
  const thing = say`The redirect from ${first.source}`;
  if (others.length === 0) {
    return [foundValue('settings-changed', place, thing, first.was ?? '', first.is ?? '')];
  }
  const what = say`${wide.length} redirects with a wildcard or to another host changed, that from ${first.source} among them.`;
  const linesOf = (end: 'was' | 'is') =>
    wide.map((one) => `${one.source} → ${one[end] ?? ''}`).join('\n');
  return [found('settings-changed', place, what, { before: linesOf('was'), after: linesOf('is') })];
}

function hasWildcard(source: string): boolean {
  return /[*:]/u.test(source);
}

/** Whether an address may leave the site: some take `/\\` for `//`. */
function isOtherHost(address = ''): boolean {
  return URL.canParse(address) || /^[/\\]{2}/u.test(address);
}

function whyBad(redirect: Redirect, { before, after }: Change): Sentence | undefined {
  const { source, destination } = redirect;
  if (!after.site.redirects.includes(redirect)) {
    const [was, is] = [before, after].map((one) => linksOf(one).resolve(source, '').kind);
    return was !== 'nowhere' && is === 'nowhere'
      ? say`The redirect from ${source} to ${destination} is gone, so the address leads nowhere: put it back.`
      : undefined;
  }
  // A pattern matches itself.
  if (isLoop(source, after.site)) {
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
