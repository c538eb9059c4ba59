import { posix } from 'node:path';
import { decoded } from '../../text/url.ts';
import type { ChangedFile, Sides, TreeEntry } from '../change.ts';
import { anchorsOf } from '../docs/anchors.ts';
import { isPagePath, kindOf } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { isInNavigation } from '../docs/site.ts';

export function unchangedPages({ files, after }: Sides): readonly TreeEntry[] {
  const changed = new Set(files.map(({ path }) => path));
  return [...after.tree.values()]
    .filter(({ path }) => !changed.has(path))
    .filter(({ path }) => ['page', 'snippet'].includes(kindOf(path, after.site)));
}

/** The pages whose anchors have to be known, because changed pages have new links to them. */
export function anchorTargets({ files, before, after }: Sides): readonly string[] {
  const links = linksOf(after);
  return files.flatMap(({ path, previousPath = path }) => {
    const old = new Set(before.pages.get(previousPath)?.links.map(({ target }) => target));
    const now = after.pages.get(path)?.links ?? [];
    return now
      .filter(({ target }) => target.includes('#') && (path !== previousPath || !old.has(target)))
      .map(({ target }) => links.resolve(target, path))
      .flatMap((end) => (end.kind === 'page' ? [end.file] : []));
  });
}

/**
 * Makes a test for unchanged texts: may this text use something that the change took away, a file that pages include,
 * or a new page outside of the navigation? It says yes too often, never too seldom. `undefined` if no text can.
 */
export function searchOf(sides: Sides): ((text: string) => boolean) | undefined {
  const variables = [...sides.before.site.variables].filter(
    (name) => !sides.after.site.variables.has(name),
  );
  const names = [
    ...sides.files.flatMap((file) => namesToSearch(file, sides)),
    ...goneRedirects(sides).flatMap(namesOf),
  ];
  const wanted = new Set(names.flatMap((name) => plain(name).match(namePart)?.[0] ?? []));
  const isWanted = (match: string) => {
    const part = match.slice(1).trimStart();
    return wanted.has(part) || wanted.has(part.replace(/\.\w*$/u, ''));
  };
  return wanted.size + variables.length === 0
    ? undefined
    : (text) =>
        (wanted.size > 0 && (plain(text).match(addressPart) ?? []).some(isWanted)) ||
        (text.includes('{{') && variables.some((name) => text.includes(name)));
}

/**
 * The names to search for because of a changed file: the last part of its address, such as `setup`, if other pages may
 * use the file and have to be read, and the anchors that it lost.
 */
function namesToSearch(
  { path, previousPath, status }: ChangedFile,
  { before, after }: Sides,
): readonly string[] {
  const kind = kindOf(path, after.site);
  // Pages include snippets, and can include a README.
  const mayBeIncluded = isPagePath(path) && kind !== 'page';
  // Only links lead to a new page outside of the navigation, so that unchanged pages are searched for them.
  const isOutside = status === 'added' && kind === 'page' && !isInNavigation(path, after);
  const isUsed = status === 'deleted' || mayBeIncluded || isOutside;
  const left = new Set(anchorsOf(path, after));
  // Links to the anchors of a deleted page have its name, too.
  const anchors = status === 'deleted' ? [] : anchorsOf(previousPath ?? path, before);
  const lost = anchors.filter((anchor) => !left.has(anchor));
  return [...[previousPath ?? [], isUsed ? path : []].flat().flatMap(namesOf), ...lost];
}

/** The sources of redirects that are gone, up to the first part that may be anything. */
function goneRedirects({ before, after }: Sides): readonly string[] {
  const left = new Set(after.site.redirects.map(({ source }) => source));
  return before.site.redirects
    .filter(({ source }) => !left.has(source))
    .map(({ source }) => source.replace(/\/[^/]*[:*(#].*$/u, ''));
}

/** The last part of a file's address; for an index page, also the name of its folder. */
function namesOf(path: string): readonly string[] {
  const { dir, base, name } = posix.parse(path);
  const isIndex = /^(?:index|readme)$/iu.test(name) && dir !== '';
  const names = [isPagePath(path) ? name : base, ...(isIndex ? [posix.basename(dir)] : [])];
  return names.filter((one) => one !== '');
}

/**
 * Matches what may be a part of an address, with the character before it, so that it matches no word in the
 * middle of a sentence. A pattern that only looks behind itself for this character would take four times as long.
 */
const addressPart = /(?:[/"'`(<>=|#]|[:(]\s{0,4})[^\s/"'`()<>[\]{}|#?=,;]{1,300}/gu;

/** Matches the first piece of a name that can stand in one part of an address. */
const namePart = /[^\s/"'`()<>[\]{}|#?=,;]+/u;

/** An address as it can be compared: in lower case, without escapes of Markdown and URLs. */
function plain(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replace(/(?:%[\da-f]{2})+/giu, decoded)
    .normalize()
    .toLowerCase();
}
