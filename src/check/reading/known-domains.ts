import type { ChangedFile, DocsVersion, Tree } from '../change.ts';
import { domainOf, hostOf } from '../rules/hosts.ts';
import { extensionOf, isInside } from './paths.ts';
import type { Texts, VersionFile } from './texts.ts';
import { unchangedPagesOf } from './unchanged-pages.ts';

/** Files beside pages that can name domains, such as API descriptions. */
const otherExtensions: readonly string[] = ['.json', '.yaml', '.yml', '.txt'];

/** Larger ones are data. */
const largestOtherBytes = 1_000_000;
const mostOthersBytes = 8_000_000;

/**
 * Finds those domains and schemes that unchanged files name, or changed files named before. Reads the pages first,
 * and other files of the docs only where domains are left.
 *
 * @param asked in lower case
 * @throws the signal's reason if the run is cancelled
 */
export async function findKnownDomains(
  asked: ReadonlySet<string>,
  files: readonly ChangedFile[],
  after: DocsVersion,
  texts: Texts,
): Promise<ReadonlySet<string>> {
  const open = new Set(asked);
  const found = new Set<string>();
  const isAnyScheme = [...asked].some((one) => one.endsWith(':'));
  const scan = (text: string) => {
    const lowerCase = isAnyScheme ? text.toLowerCase() : '';
    for (const scheme of [...open].filter((one) => one.endsWith(':') && lowerCase.includes(one))) {
      open.delete(scheme);
      found.add(scheme);
    }
    for (const domain of domainsIn(text)) {
      if (open.delete(domain)) {
        found.add(domain);
      }
    }
  };
  for (const { before } of files) {
    scan(before ?? '');
  }
  const changed = new Set(files.map(({ path }) => path));
  for (const list of [unchangedPagesOf, othersOf]) {
    if (open.size === 0) {
      break;
    }
    const unchanged = list(changed, after);
    await texts.read(unchanged);
    for (const { entry } of unchanged) {
      scan(texts.textOf(entry.sha) ?? '');
    }
  }
  return found;
}

function othersOf(
  changed: ReadonlySet<string>,
  { tree, site }: { readonly tree: Tree; readonly site: { readonly root: string } },
): readonly VersionFile[] {
  let bytes = 0;
  return [...tree]
    .filter(([path, { bytes: size }]) => {
      const isWanted = otherExtensions.includes(extensionOf(path)) && isInside(site.root, path);
      return isWanted && !changed.has(path) && size <= largestOtherBytes;
    })
    .filter(([, { bytes: size }]) => {
      bytes += size;
      return bytes <= mostOthersBytes;
    })
    .map(([path, entry]) => ({ path, entry }));
}

/**
 * With or without a scheme, or of an email address; JSON may escape the slashes. A name alone counts only
 * if it cannot be anything else: `install.sh` may be a file, `user.org` a property, and `java.io` a package.
 */
const address =
  /(?:\/\/|\\\/\\\/|@)[^\s"'<>\\/?#]{1,300}|(?<![\w.-])(?:[a-z\d][a-z\d-]{0,62}\.){1,5}com(?![\w-]|\.\w)/giu;

function domainsIn(text: string): ReadonlySet<string> {
  const hosts = new Set(text.match(address)?.map((one) => one.replace(/^[\\/@]+/u, '')));
  return new Set(
    [...hosts]
      .map((host) => hostOf(`//${host}`.replace(/[)\]}.,;:*_`]+$/u, '')))
      .filter((host) => host !== undefined)
      .map(domainOf),
  );
}
