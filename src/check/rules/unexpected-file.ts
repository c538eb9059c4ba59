import { posix } from 'node:path';
import type { Change, ChangedFile, DocsVersion, Tree, TreeEntry } from '../change.ts';
import { type FileKind, isAllowed, kindOf } from '../docs/kinds.ts';
import type { Finding } from '../old-finding.ts';
import { pathBefore } from './compare.ts';

/** Files that a change of docs has no reason to touch, wherever they came from or went. */
export function unexpectedFile(change: Change): readonly Finding[] {
  return change.files.flatMap((file) => {
    const what = unexpectedPath(change, file) ?? unexpectedEntry(change, file);
    return what === undefined ? [] : [{ rule: 'unexpected-file' as const, file: file.path, what }];
  });
}

function unexpectedPath(change: Change, file: ChangedFile): string | undefined {
  const { after, before, allowedPaths } = change;
  const kindAfter = kindOf(file.path, (file.status === 'deleted' ? before : after).site);
  if (!isAllowed(file.path, kindAfter, allowedPaths)) {
    const { tree } = file.status === 'deleted' ? before : after;
    return `is ${nounOf(kindAfter, file.path, tree)} and was ${file.status}`;
  }
  if (isSecondSite(change, file, kindAfter) && !isAllowed(file.path, 'other', allowedPaths)) {
    return 'is a second navigation file, so that which one counts may not be known any more';
  }
  const was = pathBefore(file);
  const kindBefore = kindOf(was, before.site);
  return isAllowed(was, kindBefore, allowedPaths)
    ? undefined
    : `was ${was} before, ${nounOf(kindBefore, was, before.tree)}`;
}

function isSecondSite({ after }: Change, { path, status }: ChangedFile, kind: FileKind): boolean {
  const isNew = status === 'added' || status === 'renamed';
  return isNew && kind === 'navigation' && !after.site.files.includes(path);
}

function nounOf(kind: FileKind, path: string, tree: Tree): string {
  switch (kind) {
    case 'runs':
      // No program runs Markdown, but tools read instructions and settings from such places.
      return /(?:^|\/)\..*\.mdx?$/iu.test(path)
        ? 'a hidden file (a part of its path begins with a dot)'
        : 'a file that runs on the site, in CI or on a machine of the maintainers';
    case 'outside': {
      const folder = otherDocs(path, tree);
      return folder === undefined
        ? 'a file outside of the docs'
        : `a file of the docs in ${folder} (check these with docs-root: ${folder})`;
    }
    default:
      return 'a file of a kind that docs do not consist of';
  }
}

/** The folder of other docs that a file belongs to; `undefined` for none. */
function otherDocs(path: string, tree: Tree): string | undefined {
  const folder = posix.dirname(path);
  if (['docs.json', 'mint.json'].some((name) => tree.has(posix.join(folder, name)))) {
    return folder;
  }
  return folder === '.' ? undefined : otherDocs(folder, tree);
}

/** A link or program can stand behind the name of a page. */
function unexpectedEntry({ before, after }: Change, file: ChangedFile): string | undefined {
  const is = after.tree.get(file.path)?.kind ?? 'file';
  if (is === 'file' || is === before.tree.get(pathBefore(file))?.kind) {
    return undefined;
  }
  return is === 'executable' && isText(file, after) ? undefined : nouns[is];
}

/** Some file systems make every file executable. No program runs a page that names none in its first line. */
function isText({ path, after: text }: ChangedFile, { site }: DocsVersion): boolean {
  const isMarkdown = ['page', 'snippet'].includes(kindOf(path, site));
  return isMarkdown && text !== undefined && !text.startsWith('#!');
}

const nouns = {
  executable: 'is an executable file now',
  symlink: 'is a symbolic link now',
  submodule: 'is a submodule now',
} as const satisfies Record<Exclude<TreeEntry['kind'], 'file'>, string>;
