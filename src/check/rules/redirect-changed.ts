import type { Change, DocsVersion } from '../change.ts';
import { addressOf } from '../docs/addresses.ts';
import { finalEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import { pageName } from '../docs/navigation.ts';
import { createRedirects } from '../docs/redirects.ts';
import type { Finding } from '../old-finding.ts';
import { oncePer } from '../once-per.ts';
import { isPage } from './page-path.ts';

/** Addresses that a redirect sends elsewhere now. */
export interface ChangedRedirect {
  /** The address; of a redirect with wildcards, its pattern. */
  readonly source: string;
  /** Where it led, and where it leads now; empty if nothing redirects it any more. */
  readonly was: string;
  readonly is: string;
  /** Of the redirect that counts now, or else of the one that did. */
  readonly file: string;
  readonly line: number;
}

/** What is redirected elsewhere now, or not any more. New redirects of other addresses are not among them. */
export function changedRedirects({
  before,
  after,
}: Pick<Change, 'before' | 'after'>): readonly ChangedRedirect[] {
  const [old, now] = [before, after].map(({ site }) => createRedirects(site));
  const isSame = JSON.stringify(pairsOf(before)) === JSON.stringify(pairsOf(after));
  const sources = isSame ? [] : [...before.site.redirects, ...after.site.redirects];
  const byAddress = new Map(sources.map(({ source }) => [addressIn(source), source]));
  return [...byAddress].flatMap(([address, source]) => {
    const [was, is] = [old?.match(address), now?.match(address)];
    const isPattern = /[:*]/u.test(source);
    return was === undefined || was.destination === is?.destination
      ? []
      : [
          {
            source,
            was: isPattern ? was.redirect.destination : was.destination,
            is: (isPattern ? is?.redirect : is)?.destination ?? '',
            file: (is ?? was).redirect.file,
            line: (is ?? was).redirect.line,
          },
        ];
  });
}

/** An address that the source of a redirect matches, and that no other one means by name. */
function addressIn(source: string): string {
  return pageName(source)
    .replace(/:\w+[*+?]?|\*/gu, '-any-')
    .toLowerCase();
}

function pairsOf({ site }: DocsVersion): readonly (readonly [string, string])[] {
  return site.redirects.map(({ source, destination }) => [source, destination]);
}

/** Redirects that left a page which still exists: its readers are sent elsewhere. */
export function redirectFromTarget(change: Change): readonly Finding[] {
  return changedRedirects(change).flatMap(({ source, was, is, file, line }) => {
    const left = is === '' ? undefined : pageAt(was, change.after);
    return left === undefined || left === pageAt(is, change.after)
      ? []
      : [
          {
            rule: 'navigation-changed',
            file,
            line,
            what: `redirects ${source} to ${is}, and no longer to ${was}, which still exists`,
            was,
          },
        ];
  });
}

/** The page to which a redirect leads; of an address with wildcards, the first one that it can mean. */
function pageAt(destination: string, version: DocsVersion): string | undefined {
  if (!/[:*]/u.test(destination)) {
    const end = finalEnd(linksOf(version).resolve(destination, ''));
    return end.kind === 'page' ? end.file : undefined;
  }
  const { match } = createRedirects({
    redirects: [{ source: destination, destination: '', file: '', line: 0 }],
  });
  return pagesOf(version).find(({ address }) => match(address) !== undefined)?.path;
}

interface KnownPage {
  readonly path: string;
  readonly address: string;
}

/** Many redirects may ask for them. */
const pagesOf = oncePer((version: DocsVersion): readonly KnownPage[] =>
  [...version.tree.keys()]
    .filter((path) => /\.mdx?$/iu.test(path) && isPage(version, path))
    .map((path) => ({ path, address: addressOf(path, version.site) })),
);
