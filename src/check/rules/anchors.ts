import type { Change, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import { cleanAnchor } from '../docs/page-slug.ts';
import type { Finding } from '../old-finding.ts';
import { oncePer } from '../once-per.ts';
import { changedPages, pathBefore } from './compare.ts';
import { endOf, keyOf, type Use, usesOf } from './uses.ts';

/** Whether an anchor is there; `unknown` where the page is not parsed or is made from something else. */
type Anchor = 'there' | 'missing' | 'unknown';

/** Links to headings that this change took away, and new links to headings that are not there. */
export function brokenAnchor(change: Change): readonly Finding[] {
  return [...inChangedPages(change), ...inUnchangedPages(change)];
}

function inChangedPages(change: Change): readonly Finding[] {
  return changedPages(change).flatMap(({ file, before, after }) => {
    const had = new Set(usesOf(before).map(keyOf));
    return usesOf(after)
      .filter((use) => anchorOf(use, file.path, change.after) === 'missing')
      .filter((use) =>
        had.has(keyOf(use)) || before?.problem !== undefined
          ? anchorOf(use, pathBefore(file), change.before) === 'there'
          : true,
      )
      .map((use) => finding(file.path, use));
  });
}

function inUnchangedPages({ files, before, after }: Change): readonly Finding[] {
  const changed = new Set(files.map(({ path }) => path));
  return [...after.pages]
    .filter(([path]) => !changed.has(path))
    .flatMap(([path, page]) =>
      usesOf(page)
        .filter((use) => anchorOf(use, path, after) === 'missing')
        .filter((use) => anchorOf(use, path, before) === 'there')
        .map((use) => finding(path, use)),
    );
}

function anchorOf(use: Use, from: string, version: DocsVersion): Anchor {
  if (use.kind !== 'link' || !use.target.includes('#')) {
    return 'unknown';
  }
  const end = endOf(use, from, version);
  if (end.kind === 'anchor') {
    // A snippet's own link leads to a heading of the page that includes it.
    const isSnippet = kindOf(from, version.site) === 'snippet';
    return isSnippet ? 'unknown' : lookUp(end.anchor, from, version);
  }
  return end.kind === 'page' && end.anchor !== undefined
    ? lookUp(end.anchor, end.file, version)
    : 'unknown';
}

/** Fragments that a browser or the site handles without an element of that name. */
const builtIn = /^(?:top|content-area|:~:.*)$/iu;

function lookUp(anchor: string, file: string, version: DocsVersion): Anchor {
  const page = version.pages.get(file);
  if (page === undefined || page.problem !== undefined || builtIn.test(anchor)) {
    return 'unknown';
  }
  if (hasAnchor(page, anchor)) {
    return 'there';
  }
  const isGenerated = page.frontMatter.some(({ name }) => /^(?:openapi|asyncapi|api)/u.test(name));
  return isGenerated ? 'unknown' : inSnippets(page, anchor, file, version);
}

/** What a page includes, each once; `undefined` stands for what was not read. */
type Snippets = readonly (Page | undefined)[];

const knownSnippets = oncePer((_version: DocsVersion) => new Map<string, Snippets>());

/** Found once for each page, which may have very many links. */
function snippetsOf({ imports }: Page, file: string, version: DocsVersion): Snippets {
  const known = knownSnippets(version);
  const found = known.get(file) ?? findSnippets(imports, file, version);
  known.set(file, found);
  return found;
}

function findSnippets(imports: Page['imports'], file: string, version: DocsVersion): Snippets {
  const paths = imports.map(({ source }) => linksOf(version).resolveImport(source, file));
  return [...new Set(paths)].map((path) =>
    path === undefined ? undefined : version.pages.get(path),
  );
}

function inSnippets(page: Page, anchor: string, file: string, version: DocsVersion): Anchor {
  const snippets = snippetsOf(page, file, version);
  if (snippets.some((snippet) => snippet !== undefined && hasAnchor(snippet, anchor))) {
    return 'there';
  }
  // A snippet that was not read, or that includes others, may have it.
  return snippets.every(
    (snippet) => snippet?.problem === undefined && snippet?.imports.length === 0,
  )
    ? 'missing'
    : 'unknown';
}

const anchorsOf = oncePer(({ anchors }: Page): ReadonlySet<string> => new Set(anchors));

function hasAnchor(page: Page, anchor: string): boolean {
  const anchors = anchorsOf(page);
  return anchors.has(anchor) || anchors.has(cleanAnchor(anchor));
}

function finding(file: string, { target, line }: Use): Finding {
  return {
    rule: 'broken-anchor',
    file,
    line,
    what: `links to ${target}, but that page has no such heading`,
  };
}
