import { glob, realpath } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { refuseOutside } from '../runner/workspace.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';

/**
 * The pages of the docs, as visitors see their paths: `/` for `index.mdx`, `/guides/deploy` for
 * `guides/deploy.md`. The names come from the checkout alone, never from a visited path.
 *
 * @param docsRoot a folder, relative to the workspace or absolute
 * @throws ActionError if the folder is outside the workspace or has no pages
 */
export async function readDocsPages(
  workspace: string,
  docsRoot: string,
): Promise<ReadonlySet<string>> {
  const root = await realpath(workspace);
  const folder = await realpath(resolve(root, docsRoot)).catch(() => resolve(root, docsRoot));
  refuseOutside(root, folder, 'docs-root', docsRoot);
  const isNoFolderOfDocs = (path: string) => /^(?:\.|node_modules$)/u.test(basename(path));
  const files = glob('**/*.{md,mdx}', { cwd: folder, exclude: isNoFolderOfDocs });
  const pages = new Set<string>();
  for await (const file of files) {
    pages.add(`/${file.split(sep).join('/')}`.replace(/(?:\/index)?\.mdx?$/u, ''));
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
