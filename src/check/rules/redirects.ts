import { decoded } from '../../text/url.ts';
import type { Change, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { addressOf, linksOf } from '../docs/links.ts';
import { redirectsOf } from '../docs/redirects.ts';
import { addressOfPage, isKnown, pageName, placeInSettings, type Redirect } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { newItems } from './match.ts';
import { kindIn, pathBefore } from './page-changes.ts';

/** The redirects that are new, or lead elsewhere now. */
export function changedRedirects({ before, after }: Change): readonly Redirect[] {
  return newItems(before.site.redirects, after.site.redirects, ({ source, destination }) =>
    JSON.stringify([pageName(source), destination]),
  );
}

/**
 * The redirects of this change that cannot work (`dead-address`), or that take readers to another place
 * than before (`settings-changed`).
 */
export const redirectFindings = oncePer((change: Change): readonly RuleFinding[] => {
  const { before, after } = change;
  const earlier = new Map(before.site.redirects.map((one) => [one.source, one.destination]));
  return changedRedirects(change).flatMap((redirect) => {
    const { source, destination } = redirect;
    const place = placeInSettings(after.site, source, 'source');
    const bad = isKnown(after) ? whyBad(redirect, after) : undefined;
    if (bad !== undefined) {
      return [found('dead-address', place, bad)];
    }
    const what = whyUnusual(redirect, change);
    const was = earlier.get(source);
    const versions = was === undefined ? {} : { before: was, after: destination };
    return what === undefined ? [] : [found('settings-changed', place, what, versions)];
  });
});

function whyBad(redirect: Redirect, after: DocsVersion): Sentence | undefined {
  const { source, destination } = redirect;
  // A fragment never reaches the server, so such a redirect does nothing.
  if (source.includes('#')) {
    return undefined;
  }
  const path = plainSource(source);
  if (isLoop(path, after)) {
    return say`The redirect from ${source} to ${destination} comes back to where it began: redirect to a page.`;
  }
  const end = linksOf(after).resolve(`/${destination.replace(/^\/+/u, '')}`, '');
  if (hidesPage({ source: path, destination }, after)) {
    return say`The redirect from ${source} to ${destination} hides the page at ${source}: remove one of them.`;
  }
  const isOpen = /[*:]/u.test(destination) || URL.canParse(destination);
  return end.kind === 'nowhere' && !isOpen
    ? say`The redirect from ${source} leads to ${destination}, where there is no page: redirect to a page.`
    : undefined;
}

/** A server may decode an address, and cut off its end, before it compares the path. */
function plainSource(source: string): string {
  return decoded(source.replace(/\?.*$/u, ''));
}

/** More hops than browsers follow. */
const maxHops = 20;

/** Whether a redirect leads back to itself; `/a` and `/a/index` are the same page to the site. */
function isLoop(source: string, { site }: DocsVersion): boolean {
  const seen = new Set<string>();
  let address = pageName(source.replace(/:\w+[*+]?|\*/gu, 'any'));
  while (seen.size < maxHops) {
    const same = address.replace(/(?:^|\/)index$/iu, '').toLowerCase();
    if (seen.has(same)) {
      return true;
    }
    seen.add(same);
    const next = redirectsOf(site).match(address)?.destination;
    if (next === undefined || URL.canParse(next)) {
      return false;
    }
    address = pageName(next.split(/[?#]/u)[0] ?? '');
  }
  return true;
}

/** Whether a redirect takes readers away from a page that they could open. */
function hidesPage(redirect: Redirect, version: DocsVersion): boolean {
  const { match } = redirectsOf({ redirects: [redirect] });
  const end = linksOf(version).resolve(redirect.destination, '');
  return [...version.tree.keys()].some(
    (path) =>
      isPagePath(path) &&
      match(addressOf(path, version.site)) !== undefined &&
      kindIn(version, path) === 'page' &&
      !(end.kind === 'page' && end.file === path),
  );
}

function whyUnusual({ source, destination }: Redirect, change: Change): Sentence | undefined {
  const { before, after } = change;
  const address = `/${pageName(source)}`;
  if (isElsewhere(destination, after.site.address)) {
    return say`Readers of ${source} get to another site now, ${destination}.`;
  }
  if (address === '/' || address === '/index') {
    return say`Readers of the front page get to ${destination} now.`;
  }
  const was = linksOf(before).resolve(address, '');
  if (was.kind === 'file' || /\.(?!mdx?$|html?$)\w{1,5}$/u.test(source)) {
    return say`Readers of the file ${source} get to ${destination} now.`;
  }
  if (was.kind === 'page') {
    const is = linksOf(after).resolve(address, '');
    return is.kind === 'page' && is.file === fileNow(was.file, change)
      ? undefined
      : say`${source} redirects to ${destination} now, and led to another place before.`;
  }
  // From an address that led nowhere, a redirect to a page that was there takes nothing away.
  return was.kind === 'nowhere' && isPlainPath(source) && isPage(destination, before)
    ? undefined
    : say`${source} redirects to ${destination} now, and no page of this pull request moved there.`;
}

/** Where the page at a path is now, or else the one that its address leads to. */
function fileNow(path: string, { files, before, after }: Change): string | undefined {
  const moved = files.find((file) => file.status === 'renamed' && pathBefore(file) === path);
  const end = linksOf(after).resolve(addressOfPage(path, before), '');
  return moved?.path ?? (end.kind === 'page' ? end.file : undefined);
}

function isPage(destination: string, version: DocsVersion): boolean {
  const [path = ''] = destination.split(/[?#]/u);
  return linksOf(version).resolve(`/${pageName(path)}`, '').kind === 'page';
}

/** Whether an address stands for itself alone. */
function isPlainPath(source: string): boolean {
  return /^[\w/.~-]+$/u.test(source);
}

/** Whether an address leaves the site, or may: `/:path*` becomes `//host`. */
function isElsewhere(destination: string, own: string | undefined): boolean {
  const written = destination.replace(/[\t\r\n]/gu, '').trimStart();
  const url = URL.parse(written, 'https://docs.invalid/');
  const isOpen = /^[\\/]*(?::\w+[*+]|\*)/u.test(written);
  const host = own === undefined ? '' : URL.parse(own)?.host;
  return isOpen || url === null || (url.host !== 'docs.invalid' && url.host !== host);
}
