import { glob, realpath } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import type { PageVisitors } from '../platform/visitors.ts';
import { refuseOutside, resolveWorkspace } from '../runner/workspace.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { decoded } from '../text/url.ts';

/**
 * The pages of the docs, by their paths: empty for `index.mdx`, `/guides/deploy` for `guides/deploy.md`.
 * `undefined` if no folder is given.
 *
 * @param docsRoot a folder, relative to the workspace or absolute; can be empty
 * @throws ActionError if the folder is outside the workspace or has no pages
 */
export async function readDocsPages(
  workspace: string,
  docsRoot: string,
): Promise<ReadonlySet<string> | undefined> {
  if (docsRoot === '') {
    return undefined;
  }
  const root = await resolveWorkspace(workspace);
  const folder = await realpath(resolve(root, docsRoot)).catch(() => resolve(root, docsRoot));
  refuseOutside(root, folder, 'docs-root', docsRoot);
  // The pattern itself finds nothing in folders whose names begin with a dot.
  const isOfPackages = (path: string) => basename(path) === 'node_modules';
  const files = glob('**/*.{md,mdx}', { cwd: folder, exclude: isOfPackages });
  const pages = new Set<string>();
  for await (const file of files) {
    pages.add(normal(`/${file.split(sep).join('/')}`.replace(/(?:\/index)?\.mdx?$/u, '')));
  }
  if (pages.size === 0) {
    throw inputError(
      'docs-root',
      `names ${quoted(docsRoot)}, where no .md or .mdx file is`,
      'check out the docs in an earlier step, and give their folder',
    );
  }
  return pages;
}

/**
 * Finds the page of a visited path as the docs name it; `undefined` if they have no such page. The path can be
 * percent-encoded, end with a slash, or begin with the path that the site is served at. The name comes from
 * the checkout alone, never from the visited path, because visitors choose that.
 *
 * @param pages as `readDocsPages` returns them
 * @param visits by their number, the path that the site is served at is found
 */
export function createPageFinder(
  pages: ReadonlySet<string>,
  visits: readonly PageVisitors[],
): (visited: string) => string | undefined {
  const base = findBase(pages, visits);
  return (visited) => {
    const path = normal(decoded(visited));
    const page = path.slice(base.length);
    return path.startsWith(base) && pages.has(page) ? page || '/' : undefined;
  };
}

/** A site is served at a path such as `/docs`, and hardly below more than two. */
const maxBaseDepth = 2;

/** The path before those of the pages that most visits have; empty in doubt. */
function findBase(pages: ReadonlySet<string>, visits: readonly PageVisitors[]): string {
  const totals = new Map([['', 0]]);
  for (const { path, total } of visits) {
    const parts = normal(decoded(path)).split('/');
    for (let depth = 0; depth <= maxBaseDepth && depth + 1 < parts.length; depth += 1) {
      const base = parts.slice(0, depth + 1).join('/');
      if (pages.has(`/${parts.slice(depth + 1).join('/')}`)) {
        totals.set(base, (totals.get(base) ?? 0) + total);
      }
    }
  }
  return [...totals].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

/** File systems and browsers spell letters with accents in different ways. */
function normal(path: string): string {
  let end = path.length;
  // A regular expression takes very long for thousands of slashes.
  while (path[end - 1] === '/') {
    end -= 1;
  }
  return path.slice(0, end).normalize('NFC');
}
