import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import type { Page } from '../docs/page.ts';
import { pictureAddresses, textAddresses } from '../docs/text-addresses.ts';
import type { Finding } from '../old-finding.ts';
import { changedMarkdown, linesOf, newItems, newLines, pathBefore } from './compare.ts';
import { domainOf, hostsOf, schemeOf } from './hosts.ts';
import { pageNameOf } from './page-path.ts';
import { isWellKnown } from './well-known-hosts.ts';

/** An address that stands in the docs now, and where. */
interface Mention {
  readonly file: string;
  readonly line: number;
  /** Of a host, or a scheme such as `vscode:`. */
  readonly name: string;
}

type Sides = Pick<Change, 'files' | 'before' | 'after'>;

/**
 * Domains that nothing in the repository named before this change, but for well-known ones. The first
 * mention of each counts.
 */
export function newDomain(change: Change): readonly Finding[] {
  const known = new Set([...change.knownDomains, ...namesBefore(change)].map(domainOf));
  const perFile = new Set<string>();
  return mentions(change).flatMap(({ file, line, name }) => {
    const domain = domainOf(name);
    const key = `${domain} ${file}`;
    if (known.has(domain) || perFile.has(key)) {
      return [];
    }
    perFile.add(key);
    const what = name.endsWith(':')
      ? `opens a program by ${name}, which nothing in this repository did before`
      : `leads to ${name}, which nothing in this repository named before`;
    return [{ rule: 'new-domain' as const, file, line, what }];
  });
}

/**
 * The domains, and the schemes such as `vscode:`, of which must be known whether unchanged files name
 * them: search their texts for these, in lower case, and put what was found into `knownDomains`.
 */
export function domainsInQuestion(change: Sides): ReadonlySet<string> {
  const known = new Set([...namesBefore(change)].map(domainOf));
  return new Set(
    mentions(change)
      .map(({ name }) => domainOf(name))
      .filter((domain) => !known.has(domain)),
  );
}

/** The addresses in what the parsers read, and those in new lines of any text: samples, settings, front matter. */
function mentions(change: Sides): readonly Mention[] {
  const { before, after } = change;
  const redirects = newItems(before.site.redirects, after.site.redirects, (one) => one.destination);
  return [
    ...changedMarkdown(change).flatMap(({ file, after: page }) =>
      addressesOf(page).flatMap(({ target, line }) => mention(file.path, line, target)),
    ),
    ...redirects.flatMap(({ file, line, destination }) => mention(file, line, destination)),
    ...change.files
      .filter(({ path }) => pageNameOf(path, after.site) !== undefined)
      .flatMap(mentionsInLines),
  ].filter(({ name }) => !isWellKnown(name));
}

function mention(file: string, line: number, address: string): readonly Mention[] {
  return namesOf(address).map((name) => ({ file, line, name }));
}

/** The names of a dialect of XML and of a schema of JSON: they look like addresses, and nobody follows them. */
const identifier = /(?:\bxmlns(?::[\w-]+)?\s*=\s*|"\$schema"\s*:\s*)(?:"[^"]*"|'[^']*')/gu;

function mentionsInLines(file: ChangedFile): readonly Mention[] {
  return newLines(file).flatMap(({ text, line }) =>
    addressesIn(text.replace(identifier, ''), file.path)
      .flatMap(hostsOf)
      .map((name) => ({ file: file.path, line, name })),
  );
}

function addressesIn(text: string, path: string): readonly string[] {
  return /\.svg$/iu.test(path) ? pictureAddresses(text) : textAddresses(text);
}

function addressesOf(page: Page | undefined): readonly { target: string; line: number }[] {
  const fields = page?.frontMatter ?? [];
  return [
    ...(page?.links ?? []),
    // As the parser reads them: YAML has escapes.
    ...fields.flatMap(({ json, line }) => textAddresses(json).map((target) => ({ target, line }))),
  ];
}

function namesOf(address: string): readonly string[] {
  return [...hostsOf(address), schemeOf(address)].filter((name) => name !== undefined);
}

/** What the changed files named before, and the parsed pages and the settings of that version. */
function namesBefore({ files, before }: Sides): ReadonlySet<string> {
  const texts = files.flatMap((file) =>
    linesOf(file.before).flatMap(({ text }) => addressesIn(text, pathBefore(file))),
  );
  return new Set([...texts, ...addressesBefore(before)].flatMap(namesOf));
}

function addressesBefore({ pages, site }: DocsVersion): readonly string[] {
  return [
    ...[...pages.values()].flatMap((page) => addressesOf(page).map(({ target }) => target)),
    ...site.redirects.map(({ destination }) => destination),
    ...[...site.settings.values()].flatMap(({ json }) => textAddresses(json)),
  ];
}
