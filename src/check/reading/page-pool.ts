import type { TreeEntry } from '../change.ts';
import type { Page } from '../docs/page.ts';
import type { ParseDeps } from './parse-pages.ts';
import { extensionOf, isParsedPath } from './paths.ts';
import type { Texts, VersionFile } from './texts.ts';

/** The parsed pages, each content once. */
export interface PagePool {
  /** Parses those pages whose text is known. Other files are left out. */
  parse(files: readonly VersionFile[]): Promise<void>;
  /** Whether it should have been parsed, but the time was over. */
  isLeftOut(path: string, entry: TreeEntry): boolean;
  /** `undefined` for a file that is no page, or that was not parsed. */
  pageOf(path: string, entry: TreeEntry | undefined): Page | undefined;
}

/** @throws the signal's reason if the run is cancelled, from `parse` */
export function createPagePool(texts: Texts, deps: ParseDeps): PagePool {
  const pages = new Map<string, Page | undefined>();
  return {
    async parse(files) {
      const open = new Map<string, { path: string; text: string }>();
      for (const { path, entry } of files) {
        const text = isParsedPath(path) ? texts.textOf(entry.sha) : undefined;
        if (text !== undefined && !pages.has(keyOf(path, entry))) {
          open.set(keyOf(path, entry), { path, text });
        }
      }
      const { parsePages } = await import('./parse-pages.ts');
      const parsed = await parsePages([...open.values()], deps);
      for (const [index, key] of [...open.keys()].entries()) {
        pages.set(key, parsed[index]);
      }
    },
    isLeftOut: (path, entry) =>
      pages.has(keyOf(path, entry)) && pages.get(keyOf(path, entry)) === undefined,
    pageOf: (path, entry) =>
      entry === undefined || !isParsedPath(path) ? undefined : pages.get(keyOf(path, entry)),
  };
}

/** Markdown and MDX are different languages. */
function keyOf(path: string, { sha }: TreeEntry): string {
  return `${sha}${extensionOf(path)}`;
}
