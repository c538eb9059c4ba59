import type { Change } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import type { Page, PageProblem } from '../docs/page.ts';
import type { Site } from '../docs/site.ts';
import { isStray } from '../rules/gaps.ts';
import type { GapList } from './gap-list.ts';
import type { UnchangedPages } from './unchanged-pages.ts';

type Judged = Pick<Change, 'files' | 'before' | 'after'>;

/**
 * Adds a gap for each page of the site that could not be parsed as it was, and for each unchanged one.
 * The rules see themselves those that cannot be parsed as they are.
 */
export function addPageGaps(
  { files, before, after }: Judged,
  unchanged: UnchangedPages,
  gaps: GapList,
): void {
  for (const { path, previousPath = path } of files) {
    const page = after.pages.get(path);
    const was = problemOf(before.pages.get(previousPath), previousPath, before.site);
    if (was !== undefined && page !== undefined && page.problem === undefined) {
      const place = was.line === undefined ? '' : ` (line ${was.line})`;
      gaps.add(path, `the page as it was before ${was.what}${place}`);
    }
  }
  for (const [path, page] of unchanged) {
    const problem = problemOf(page, path, after.site);
    if (problem !== undefined) {
      const what = `the page ${problem.what}, so whether it uses what changed is not known`;
      gaps.add(path, what, problem.line);
    }
  }
}

/** Adds a gap for each changed path that is no file, so that nothing of it was read. */
export function addLinkGaps(
  { files, after }: Pick<Judged, 'files' | 'after'>,
  gaps: GapList,
): void {
  for (const { path } of files) {
    const kind = after.tree.get(path)?.kind;
    if (kind === 'symlink' || kind === 'submodule') {
      const name = kind === 'symlink' ? 'symbolic link' : 'submodule';
      gaps.add(path, `the path is a ${name}, and what it leads to was not read`);
    }
  }
}

/** `undefined` for a page without a problem, and for a file that is no page of the site. */
function problemOf(page: Page | undefined, path: string, site: Site): PageProblem | undefined {
  const kind = kindOf(path, site);
  const isOfSite = kind === 'page' || kind === 'snippet';
  if (page?.problem === undefined || !isOfSite || isStray(path, page, site)) {
    return undefined;
  }
  return page.problem;
}
