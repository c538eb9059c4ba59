import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { hasWildcard, redirectAt } from '../docs/redirects.ts';
import {
  addressOfPage,
  belowRoot,
  hasReadableNavigation,
  isUnreadable,
  type Redirect,
  type Site,
  topOf,
} from '../docs/site.ts';
import { found, foundValue, type Place, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { say } from '../sentence.ts';
import { newlyBroken, type Side } from './broken-links.ts';
import { isHidden, isShown, kindIn, pathBefore } from './page-changes.ts';

/** Addresses that led somewhere and lead nowhere now, redirects that do not work, and redirects that people should know of. */
export function deadAddress(change: Change): readonly RuleFinding[] {
  return [...deadPages(change).map((file) => deadPage(file, change)), ...redirectFindings(change)];
}

/** The pages that are gone or moved, and whose address leads nowhere now. */
export const deadPages = oncePer((change: Change): readonly ChangedFile[] => {
  const { files, before, after } = change;
  // A folder of docs that moved as a whole has a finding already.
  if (!hasReadableNavigation(after) || after.site.root !== before.site.root) {
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
 * Whether readers could know the address of a file. A page that the navigation did not name had few readers, so
 * that another rule says that it is gone. Without a navigation, every page counts that is not hidden.
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
 * Redirects that lead nowhere or in a loop, hide a page, or are gone so that an address leads nowhere
 * (`dead-address`), and others that changed, with a wildcard or to another host (`settings-changed`).
 */
function redirectFindings(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  if (!hasReadableNavigation(after) || isUnreadable(before)) {
    return [];
  }
  const [old, now] = [firstRedirects(before.site), firstRedirects(after.site)];
  const broken = newlyBroken(redirectSide(old, before), redirectSide(now, after));
  const isBroken = new Set(broken.map(({ reference }) => reference.source));
  const hidden = hiddenPages(change).filter(({ redirect }) => !isBroken.has(redirect.source));
  const lost = [...old.values()].filter(({ source }) => !now.has(source) && isLost(source, change));
  const dead = [
    ...broken.map(({ reference, what }) => found('dead-address', reference.place, what)),
    ...hidden.map(({ redirect, what }) => found('dead-address', redirect.place, what)),
    ...lost.map(({ source, destination }) => {
      const what = say`The redirect from ${source} to ${destination} is gone, so the address leads nowhere: put it back.`;
      return found('dead-address', topOf(after.site), what);
    }),
  ];
  const judged = new Set([
    ...isBroken,
    ...[...hidden.map(({ redirect }) => redirect), ...lost].map(({ source }) => source),
  ]);
  const changed = [...new Set([...now.keys(), ...old.keys()])]
    .filter((source) => !judged.has(source))
    .map((source): ChangedRedirect => {
      const [was, is] = [old.get(source), now.get(source)];
      const place = is?.place ?? topOf(after.site);
      return { source, place, was: was?.destination, is: is?.destination };
    })
    .filter(({ was, is }) => was !== is);
  return [...dead, ...otherTargets(changed)];
}

/** The redirects by source. Of two from the same address, the first one counts. */
function firstRedirects({ redirects }: Site): ReadonlyMap<string, Redirect> {
  const bySource = Map.groupBy(redirects, ({ source }) => source);
  return new Map(
    [...bySource.values()].flatMap(([first]) => (first ? [[first.source, first]] : [])),
  );
}

function redirectSide(redirects: ReadonlyMap<string, Redirect>, version: DocsVersion): Side {
  const references = [...redirects.values()].map(({ source, destination, place }) => {
    return { kind: 'redirect', target: destination, source, place } as const;
  });
  return { references, version };
}

/** Whether an address leads nowhere because its redirect is gone. For a pattern, nobody knows which addresses were used. */
function isLost(source: string, { before, after }: Change): boolean {
  const [was, is] = [before, after].map((one) => linksOf(one).resolve(source, '').kind);
  return was !== 'nowhere' && is === 'nowhere' && !hasWildcard(source);
}

/** Redirects that take readers away from pages which they could open before, or which are new. */
function hiddenPages({ before, after }: Change) {
  const redirectOf = ({ site }: DocsVersion, path: string) =>
    redirectAt(belowRoot(path, site), site, true)?.redirect;
  const hidden = [...after.tree.keys()]
    .filter((path) => isPagePath(path) && kindIn(after, path) === 'page')
    .filter((path) => !before.tree.has(path) || redirectOf(before, path) === undefined);
  return [...Map.groupBy(hidden, (path) => redirectOf(after, path))].flatMap(
    ([redirect, [first = '', ...others]]) => {
      if (redirect === undefined) {
        return [];
      }
      const { source, destination } = redirect;
      const hides = say`The redirect from ${source} to ${destination} hides`;
      const address = addressOfPage(first, after);
      const what =
        others.length === 0
          ? say`${hides} the page at ${address}: remove one of them.`
          : say`${hides} ${others.length + 1} pages, that at ${address} among them: remove the redirect, or the pages.`;
      return [{ redirect, what }];
    },
  );
}

/** A redirect that is new, is gone, or leads somewhere else. */
interface ChangedRedirect {
  readonly source: string;
  readonly place: Place;
  /** Where it led before, and leads now. */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** One finding for all redirects that have a wildcard or lead to another host. */
function otherTargets(changed: readonly ChangedRedirect[]): readonly RuleFinding[] {
  const wide = changed.filter(
    ({ source, was, is }) => hasWildcard(source) || isOtherHost(was) || isOtherHost(is),
  );
  const [first, ...others] = wide;
  if (first === undefined) {
    return [];
  }
  const { place } = first;
  const thing = say`The redirect from ${first.source}`;
  if (others.length === 0) {
    return [foundValue('settings-changed', place, thing, first.was ?? '', first.is ?? '')];
  }
  const what = say`${wide.length} redirects with a wildcard or to another host changed, that from ${first.source} among them.`;
  const linesOf = (end: 'was' | 'is') =>
    wide.map((one) => `${one.source} → ${one[end] ?? ''}`).join('\n');
  return [found('settings-changed', place, what, { before: linesOf('was'), after: linesOf('is') })];
}

/** Whether an address may leave the site. Browsers take `/\\` for `//`. */
function isOtherHost(address = ''): boolean {
  return URL.canParse(address) || /^[/\\]{2}/u.test(address);
}
