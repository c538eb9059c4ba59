import type { Change, DocsVersion } from '../change.ts';
import { isInside, isPagePath } from '../docs/kinds.ts';
import { linksOf, pagesWithoutFile } from '../docs/links.ts';
import type { Link } from '../docs/page.ts';
import { belowRoot, isKnown, placeInSettings } from '../docs/site.ts';
import { cleanAnchor } from '../docs/slug.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { isOfApi, pathBefore } from './page-changes.ts';

/**
 * What leads nowhere because of this change: links, anchors, imports, pictures and the navigation. Settings
 * that could not be read may redirect any address, and are a finding already.
 */
export function brokenLink(change: Change): readonly RuleFinding[] {
  if (!isKnown(change.after)) {
    return [];
  }
  return [...inPages(change), ...inNavigation(change), ...inSettings(change)];
}

/** Links that are new and lead nowhere, or led somewhere before. */
function inPages({ files, before, after }: Change): readonly RuleFinding[] {
  const fileAt = new Map(files.map((file) => [file.path, file]));
  return [...after.pages].flatMap(([path, { links }]) => {
    const file = fileAt.get(path);
    const from = file === undefined ? path : pathBefore(file);
    const old = before.pages.get(from);
    if (old?.problem !== undefined) {
      // Which of them are new, nobody can tell: that is a finding of another rule.
      return [];
    }
    const had = new Set(old?.links.map(linkKey));
    return links.flatMap((link) => {
      const isNew = !had.has(linkKey(link));
      const what = brokenPart(link, path, after);
      return what === undefined || !(isNew || isIntact(link, from, before))
        ? []
        : found('broken-link', { file: path, line: link.line }, what);
    });
  });
}

/** Whether a link certainly led to something of the docs; of pages that were not parsed, no anchor is known. */
function isIntact(link: Link, from: string, version: DocsVersion): boolean {
  const end = linksOf(version).resolve(link.target, from);
  const isOpen =
    (link.kind !== 'import' && end.kind === 'unknown') ||
    (end.kind === 'page' && end.anchor !== undefined && !version.pages.has(end.file));
  return !isOpen && brokenPart(link, from, version) === undefined;
}

/** What is wrong with a link that leads nowhere; `undefined` for nothing, and where it cannot be told. */
function brokenPart(
  { kind, target }: Link,
  from: string,
  version: DocsVersion,
): Sentence | undefined {
  if (kind === 'import') {
    return isFound(target, from, version)
      ? undefined
      : say`The import of ${target} finds no file: correct it, or add the file.`;
  }
  const end = linksOf(version).resolve(target, from);
  if (end.kind === 'nowhere') {
    return kind === 'source'
      ? say`The file ${target} does not exist: correct the path, or add the file.`
      : say`The link to ${target} leads nowhere: correct it, or add the page or a redirect.`;
  }
  if (end.kind !== 'page' || end.anchor === undefined) {
    return undefined;
  }
  return hasAnchor(end.file, end.anchor, version)
    ? undefined
    : say`The link to ${target} leads to a section that ${end.file} does not have: correct the link, or write ${`{#${end.anchor}}`} after the heading that it means.`;
}

/** Whether an import finds its file, or may be one of a package. */
function isFound(target: string, from: string, version: DocsVersion): boolean {
  const isPackage = !/^[./]/u.test(target) && !/\.(?:mdx?|jsx?|tsx?)$/u.test(target);
  return isPackage || linksOf(version).resolveImport(target, from) !== undefined;
}

/** Whether a page or a snippet in it has an anchor, or may have it. */
function hasAnchor(file: string, written: string, version: DocsVersion): boolean {
  // A number tells headings with the same name apart.
  const names = [written, cleanAnchor(written), cleanAnchor(written).replace(/-\d+$/u, '')];
  const files = new Set<string | undefined>([file]);
  for (const one of files) {
    const page = version.pages.get(one ?? '');
    // Mintlify adds headings to pages that it makes from a description of an API.
    if (page === undefined || page.problem !== undefined || isOfApi(page)) {
      return true;
    }
    const isThere = names.some((name) => page.anchors.has(name));
    if (isThere || page.hasUnknownAnchors || unnamed.test(written)) {
      return true;
    }
    // Components in JavaScript seldom have headings.
    const included = page.links
      .filter(({ kind }) => kind === 'import')
      .map(({ target }) => linksOf(version).resolveImport(target, one ?? ''))
      .filter((source) => source === undefined || isPagePath(source));
    for (const source of included) {
      files.add(source);
    }
  }
  return false;
}

/** What leads to the top, to a text that the browser searches for, or to a field, whose name Mintlify spells in its own way. */
const unnamed = /^(?:top|:~:.*|(?:param|response)-.{0,40}|)$/u;

function linkKey({ kind, target }: Link): string {
  return `${kind} ${target}`;
}

/** Entries of the navigation that are new, or whose page this change took away, without a page. */
function inNavigation({ before, after }: Change): readonly RuleFinding[] {
  return [...pagesWithoutFile(after)]
    .filter((page) => !pagesWithoutFile(before).has(page))
    .map((page) =>
      found(
        'broken-link',
        placeInSettings(after.site, page),
        say`The navigation names ${page}, and there is no such page.`,
      ),
    );
}

/** A logo, an icon or a description of an API that the settings name, and that this change takes away. */
function inSettings({ files, after: { site, tree } }: Change): readonly RuleFinding[] {
  return files
    .map(pathBefore)
    .filter((path) => isInside(site.root, path) && !isPagePath(path) && !tree.has(path))
    .map((path) => belowRoot(path, site))
    .filter((path) => placeInSettings(site, path).line !== undefined)
    .map((path) =>
      found(
        'broken-link',
        placeInSettings(site, path),
        say`The settings name the file ${path}, and there is no such file.`,
      ),
    );
}
