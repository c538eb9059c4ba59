import type { Change, DocsVersion } from '../change.ts';
import type { Finding } from '../finding.ts';
import { changedPages, newItems } from './compare.ts';
import { domainOf, hostOf } from './hosts.ts';

/** An address that stands in the docs now, and where. */
interface Mention {
  readonly file: string;
  readonly line: number;
  readonly host: string;
}

type Sides = Pick<Change, 'files' | 'before' | 'after'>;

/** Domains that nothing in the repository named before this change. The first mention of each counts. */
export function newDomain(change: Change): readonly Finding[] {
  const known = new Set([...change.knownDomains, ...hostsIn(change.before)].map(domainOf));
  const perFile = new Set<string>();
  return mentions(change).flatMap(({ file, line, host }) => {
    const domain = domainOf(host);
    const key = `${domain} ${file}`;
    if (known.has(domain) || perFile.has(key)) {
      return [];
    }
    perFile.add(key);
    const what = `leads to ${host}, which nothing in this repository named before`;
    return [{ rule: 'new-domain' as const, file, line, what }];
  });
}

/**
 * The domains of which must be known whether unchanged files name them: search their texts for these, in
 * lower case, and put what was found into `knownDomains`.
 */
export function domainsInQuestion(change: Sides): ReadonlySet<string> {
  const known = new Set([...hostsIn(change.before)].map(domainOf));
  return new Set(
    mentions(change)
      .map(({ host }) => domainOf(host))
      .filter((domain) => !known.has(domain)),
  );
}

function mentions(change: Sides): readonly Mention[] {
  const { before, after } = change;
  const redirects = newItems(before.site.redirects, after.site.redirects, (one) => one.destination);
  return [
    ...changedPages(change).flatMap((page) =>
      (page.after?.links ?? []).flatMap(({ target, line }) =>
        mention(page.file.path, line, target),
      ),
    ),
    ...redirects.flatMap(({ file, line, destination }) => mention(file, line, destination)),
  ];
}

function mention(file: string, line: number, address: string): readonly Mention[] {
  const host = hostOf(address);
  return host === undefined ? [] : [{ file, line, host }];
}

/** The hosts that the pages, the redirects and the settings of a version name. */
function hostsIn({ pages, site }: DocsVersion): ReadonlySet<string> {
  const addresses = [
    ...[...pages.values()].flatMap(({ links }) => links.map(({ target }) => target)),
    ...site.redirects.map(({ destination }) => destination),
    ...[...site.settings.values()].flatMap(({ json }) => json.match(addressInJson) ?? []),
  ];
  return new Set(addresses.map(hostOf).filter((host) => host !== undefined));
}

const addressInJson = /https?:\/\/[^\s"'\\<>]{1,300}/gu;
