import type { DocsVersion } from '../change.ts';
import { filesOfPage } from '../docs/built.ts';
import { type FileKind, kindOf } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { pageName } from '../docs/navigation.ts';
import type { Site } from '../docs/site.ts';
import { oncePer } from '../once-per.ts';

/** A page as the navigation would name it; `undefined` for a file outside of the docs' folder. */
export function pageNameOf(path: string, { root }: Site): string | undefined {
  if (root !== '' && !path.startsWith(`${root}/`)) {
    return undefined;
  }
  return pageName(root === '' ? path : path.slice(root.length + 1));
}

export function hasPage(version: DocsVersion, page: string): boolean {
  return filesOfPage(page, version.site).some((file) => version.tree.has(file));
}

/** The pages that the navigation of a version names. */
export function navigationNames({ site }: DocsVersion): ReadonlySet<string> {
  return new Set(site.pages.map(({ page }) => page));
}

/** A broken navigation names nothing, so that every page would seem to be missing in it. */
export function isReadable({ site }: DocsVersion): boolean {
  return site.isUnread !== true && (site.pages.length > 0 || site.problems.length === 0);
}

/** What a file is, with regard to what the known pages import. */
export function kindIn(version: DocsVersion, path: string): FileKind {
  return kindOf(path, version.site, importedFiles(version));
}

/** Whether a file is a page of the site; what other pages import is not. */
export function isPage(version: DocsVersion, path: string): boolean {
  return kindIn(version, path) === 'page';
}

const importedFiles = oncePer((version: DocsVersion): ReadonlySet<string> => {
  const links = linksOf(version);
  return new Set(
    [...version.pages].flatMap(([path, { imports }]) =>
      imports.flatMap(({ source }) => links.resolveImport(source, path) ?? []),
    ),
  );
});

/** A page whose front matter keeps it out of the navigation or of search engines. */
export function isHidden({ pages }: DocsVersion, path: string): boolean {
  const fields = pages.get(path)?.frontMatter ?? [];
  return fields.some(
    ({ name, json }) => (name === 'hidden' || name === 'noindex') && /^"?true"?$/u.test(json),
  );
}
