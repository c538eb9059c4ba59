import { posix } from 'node:path';
import { partsOf } from './link-end.ts';
import type { LinkTargets } from './links.ts';

/** The file that an `import` means; `undefined` where it is not in the repository. */
export function importFile(
  source: string,
  from: string,
  { tree, site }: LinkTargets,
): string | undefined {
  const { path } = partsOf(source);
  const folders = path.startsWith('/')
    ? [site.root]
    : [posix.dirname(from), site.root, posix.join(site.root, '_snippets')];
  const below = path.replace(/^\/+/, '');
  // An older name of the folder: what lies in `_snippets` is imported from `/snippets`.
  const names = [below, below.replace(/^snippets\//, '_snippets/')];
  return folders
    .flatMap((folder) => names.map((name) => posix.join(folder, name)))
    .find((file) => tree.has(file));
}
