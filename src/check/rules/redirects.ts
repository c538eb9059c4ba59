import { counted } from '../../text/plain.ts';
import type { Change, DocsVersion } from '../change.ts';
import { addressOf } from '../docs/addresses.ts';
import { finalEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import { createRedirects } from '../docs/redirects.ts';
import type { Redirect } from '../docs/site.ts';
import type { Finding } from '../old-finding.ts';
import { newItems } from './compare.ts';
import { asBrowsersRead } from './hosts.ts';
import { isPage } from './page-path.ts';

/** New redirects that send readers off the site, or wherever the address that they follow says. */
export function redirectToOtherHost({ before, after }: Change): readonly Finding[] {
  const isElsewhere = elsewhereFrom(before, after);
  return newRedirects(before, after)
    .filter((redirect) => isElsewhere(redirect) || isOpen(redirect))
    .map((redirect) => {
      const { source, destination, file, line } = redirect;
      const decides = ", so that the reader's address decides where it leads";
      const what = `redirects ${source} to ${destination}${isElsewhere(redirect) ? '' : decides}`;
      return { rule: 'redirect-to-other-host', file, line, what };
    });
}

/** Says whether a redirect leads to a host that is not the site's own. */
function elsewhereFrom(before: DocsVersion, after: DocsVersion): (redirect: Redirect) => boolean {
  const own = new Set([before.site, after.site].map(({ address }) => hostOf(address ?? '')));
  return ({ destination }) => {
    const host = hostOf(destination);
    return host !== undefined && !own.has(host);
  };
}

/** New redirects to an address that leads nowhere. */
export function redirectToNowhere({ before, after }: Change): readonly Finding[] {
  return newRedirects(before, after)
    .filter(({ destination }) => !/[:*]/u.test(destination) && hostOf(destination) === undefined)
    .filter(({ destination }) => {
      const address = `/${asBrowsersRead(destination).replace(/^\/+/u, '')}`;
      return finalEnd(linksOf(after).resolve(address, '')).kind === 'nowhere';
    })
    .map(({ source, destination, file, line }) => ({
      rule: 'broken-link',
      file,
      line,
      what: `redirects ${source} to ${destination}, which does not exist`,
    }));
}

/**
 * New redirects that take readers away from pages that exist, or from nobody knows which. Those that leave
 * the site are findings of `redirectToOtherHost` already.
 */
export function redirectFromPage({ before, after }: Change): readonly Finding[] {
  const isElsewhere = elsewhereFrom(before, after);
  const redirects = newRedirects(before, after)
    .filter((redirect) => !isElsewhere(redirect) && !isOpen(redirect))
    .map((redirect) => ({
      ...redirect,
      written: redirect.source,
      source: plainSource(redirect.source),
    }));
  const { match } = createRedirects({ redirects });
  const taken = redirects.length === 0 ? [] : [...after.tree.keys()].filter(isPageOf(after));
  const pages = Map.groupBy(taken, (path) => match(addressOf(path, after.site))?.redirect);
  return redirects.flatMap((redirect) => {
    const [first, ...others] = (pages.get(redirect) ?? []).filter(
      (path) => !isSame(redirect, path, after),
    );
    const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other page')}`;
    const { written, destination, file, line } = redirect;
    const isUnknown = /[(){}\\|^]/u.test(written);
    const from = isUnknown ? 'a pattern that may match any page' : `away from ${first}${more}`;
    const what = `redirects ${written} to ${destination}, ${from}`;
    return first === undefined && !isUnknown
      ? []
      : [{ rule: 'navigation-changed' as const, file, line, what }];
  });
}

/** A server may decode an address, and cut off its end, before it compares the path. */
function plainSource(source: string): string {
  const path = source.replace(/(?<!:\w{1,100})\?.*$|#.*$/u, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isPageOf(version: DocsVersion): (path: string) => boolean {
  return (path) => /\.mdx?$/iu.test(path) && isPage(version, path);
}

/** Whether a redirect only leads to another spelling of the page's own address. */
function isSame({ destination }: Redirect, path: string, version: DocsVersion): boolean {
  const end = finalEnd(linksOf(version).resolve(destination, ''));
  return end.kind === 'page' && end.file === path;
}

function newRedirects(before: DocsVersion, after: DocsVersion): readonly Redirect[] {
  return newItems(before.site.redirects, after.site.redirects, ({ source, destination }) =>
    JSON.stringify([source, destination]),
  );
}

/** Whether what the reader's address has may begin with a host: `/:path*` becomes `//host`. */
function isOpen({ destination }: Redirect): boolean {
  return /^[\\/]*(?::\w+[*+]|\*)/u.test(asBrowsersRead(destination));
}

/** Of an address that leaves the site by its form, placeholders included. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(asBrowsersRead(address), 'https://docs.invalid/');
  if (url === null) {
    return address;
  }
  return url.host === 'docs.invalid' ? undefined : url.host || address;
}
