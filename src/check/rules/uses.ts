import type { DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import { finalEnd, type LinkEnd } from '../docs/link-end.ts';
import { linksOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';

/** Something of the repository that a page uses, as it is written there. */
export interface Use {
  readonly target: string;
  readonly kind: 'link' | 'image' | 'embed' | 'import';
  readonly line: number;
}

/** What a page uses, each target once. */
export function usesOf(page: Page | undefined): readonly Use[] {
  if (page === undefined) {
    return [];
  }
  const uses = [
    ...page.links,
    ...page.imports.map(({ source, line }) => ({ target: source, kind: 'import' as const, line })),
    ...page.frontMatter.flatMap(({ json, line }) => {
      const target = /^"(?<path>\/[^"\\]+\.\w{2,5})"$/u.exec(json)?.groups?.['path'];
      return target === undefined ? [] : [{ target, kind: 'image' as const, line }];
    }),
  ];
  return [...new Map(uses.toReversed().map((use) => [keyOf(use), use])).values()].reverse();
}

export function keyOf({ kind, target }: Use): string {
  return `${kind === 'import'} ${target}`;
}

/**
 * Where a use leads in a version of the docs, after all redirects. A relative address in a snippet means
 * something else on each page that includes it, so that it cannot be told.
 */
export function endOf(use: Use, from: string, version: DocsVersion): ReturnType<typeof finalEnd> {
  const isRelative = !use.target.startsWith('/') && !use.target.startsWith('#');
  if (use.kind === 'import') {
    return importEnd(use.target, from, version);
  }
  return isRelative && kindOf(from, version.site) === 'snippet'
    ? { kind: 'unknown' }
    : finalEnd(linksOf(version).resolve(use.target, from));
}

function importEnd(
  source: string,
  from: string,
  version: DocsVersion,
): ReturnType<typeof finalEnd> {
  const file = linksOf(version).resolveImport(source, from);
  if (file !== undefined) {
    return { kind: 'file', file };
  }
  // The code of a package is a finding of its own; Markdown is only ever one of the repository's files.
  return /^\.{0,2}\/|\.mdx?$/iu.test(source) ? { kind: 'nowhere' } : { kind: 'unknown' };
}

/** The file of the repository to which a use leads. */
export function fileOf(end: LinkEnd): string | undefined {
  return end.kind === 'page' || end.kind === 'file' ? end.file : undefined;
}
