import type { DocsVersion } from '../change.ts';
import { oncePer } from '../once-per.ts';
import { isPagePath } from './kinds.ts';
import { linksOf } from './links.ts';
import { isOfApi, type Page } from './page.ts';
import { rootOf } from './scope.ts';
import { cleanAnchor } from './slug.ts';

/** The anchors of a page, and those of the snippets that it shows, as far as they were parsed. */
export function anchorsOf(file: string, version: DocsVersion): readonly string[] {
  return [...partsOf(file, version)].flatMap((part) => [...(part?.anchors ?? [])]);
}

/** Whether a page or a snippet in it has an anchor, or may have it. */
export function hasAnchor(file: string, written: string, version: DocsVersion): boolean {
  // A number tells headings with the same name apart.
  const names = [written, cleanAnchor(written), cleanAnchor(written).replace(/-\d+$/u, '')];
  for (const part of partsOf(file, version)) {
    // Mintlify adds headings to pages that it makes from a description of an API.
    if (part === undefined || part.problem !== undefined || isOfApi(part)) {
      return true;
    }
    if (part.hasUnknownAnchors || names.some((name) => part.anchors.has(name))) {
      return true;
    }
  }
  return unnamed.test(written);
}

/**
 * Anchors that need no heading: the top of the page, a text that the browser searches for, and a parameter, whose name
 * Mintlify spells in its own way.
 */
const unnamed = /^(?:top|:~:.*|(?:param|response)-.{0,40}|)$/u;

/** A page, and the snippets that it or one of these snippets shows; `undefined` for what was not parsed. */
function* partsOf(file: string, version: DocsVersion): Generator<Page | undefined, void> {
  const files = new Set<string | undefined>([file]);
  for (const one of files) {
    const page = version.pages.get(one ?? '');
    yield page;
    // Components in JavaScript seldom have headings.
    const shown = (page === undefined ? [] : shownIn(page))
      .map((target) => linksOf(version).resolveImport(target, one ?? ''))
      .filter((source) => source === undefined || isPagePath(source));
    for (const source of shown) {
      files.add(source);
    }
  }
}

/** What a page includes and shows, as the page writes it. If neither text nor code uses a name, its import shows nothing. */
const shownIn = oncePer(({ links, scope, uses, unseen }: Page): readonly string[] => {
  const code = unseen.filter(({ kind }) => kind === 'script').map(({ text }) => text);
  const used = new Set([
    ...uses.map(({ name }) => rootOf(name)),
    ...code.flatMap((text) => text.match(/[\p{ID_Continue}$]+/gu) ?? []),
  ]);
  const imports = Map.groupBy(scope.imports, ([, { source }]) => source);
  return links
    .filter(({ kind }) => kind === 'import')
    .map(({ target }) => target)
    .filter((target) => imports.get(target)?.some(([name]) => used.has(name)) ?? true);
});
