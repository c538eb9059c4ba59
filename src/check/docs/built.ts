import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import { oncePer } from '../once-per.ts';
import type { Site } from './site.ts';

/** One slip is no build. Real docs without a build name no missing page, and real ones with one a third. */
const leastMissing = 10;
const leastPart = 0.1;

interface Version {
  readonly tree: Tree;
  readonly site: Site;
}

/**
 * Whether a build makes pages of the docs, so that a file may have another address than its path says:
 * the navigation names many pages that are no files. Ask about the version before the change, where the
 * answer excuses something, so that no change can bring it about.
 */
export const isBuilt = oncePer(namesMissing);

function namesMissing({ tree, site }: Version): boolean {
  const names = [...new Set(site.pages.map(({ page }) => page))];
  const missing = names.filter(
    (page) => filesOfPage(page, site).every((file) => !tree.has(file)) && !isApiPage(page, site),
  );
  return missing.length >= leastMissing && missing.length > names.length * leastPart;
}

/** The files that an entry of the navigation can mean. */
export function filesOfPage(page: string, { root }: Pick<Site, 'root'>): readonly string[] {
  const path = posix.join(root, page);
  return [`${path}.mdx`, `${path}.md`];
}

/** Pages that are made from an API description have no file. */
export function isApiPage(page: string, { apiFolders }: Pick<Site, 'apiFolders'>): boolean {
  return apiFolders.some((folder) => folder === '' || page.startsWith(`${folder}/`));
}
