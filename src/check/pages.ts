import type { Change, ChangedFile } from './change.ts';
import { kindOf } from './docs/kinds.ts';
import type { Readers } from './readers/readers.ts';

/** A page of the docs that the pull request changes. */
export interface TouchedPage {
  /** Path in the repository, as it is after the change; of a deleted page, as it was. */
  readonly path: string;
  /** Only of a renamed page. */
  readonly previousPath?: string;
  readonly status: ChangedFile['status'];
  /** Lines of text added and deleted, as GitHub counts them. */
  readonly lines: Pick<ChangedFile, 'additions' | 'deletions'>;
  /** Of the last 30 days; `undefined` if that is not known. */
  readonly visitors: number | undefined;
}

/** The path that readers know a changed file by: where it was before the change. */
export function knownPath({ path, previousPath }: ChangedFile): string {
  return previousPath ?? path;
}

/** The pages that a change touches, snippets left out. */
export function changedPageFiles({ files, before, after }: Change): readonly ChangedFile[] {
  return files.filter((file) => {
    const isPageNow = file.status !== 'deleted' && kindOf(file.path, after.site) === 'page';
    const wasPage = file.status !== 'added' && kindOf(knownPath(file), before.site) === 'page';
    return isPageNow || wasPage;
  });
}

/** Adds the visitors to pages, and sorts them: most read first, then those with most changed lines. */
export function touchedPages(
  files: readonly ChangedFile[],
  readers: Readers,
): readonly TouchedPage[] {
  return files
    .map((file) => ({
      path: file.path,
      ...(file.previousPath !== undefined && { previousPath: file.previousPath }),
      status: file.status,
      lines: { additions: file.additions, deletions: file.deletions },
      visitors: visitorsOf(file, readers),
    }))
    .sort(
      (one, other) =>
        (other.visitors ?? -1) - (one.visitors ?? -1) ||
        linesOf(other) - linesOf(one) ||
        (one.path < other.path ? -1 : 1),
    );
}

function visitorsOf(file: ChangedFile, readers: Readers): number | undefined {
  if (readers.kind !== 'known') {
    return undefined;
  }
  return readers.visitors.get(knownPath(file)) ?? (readers.isWhole ? 0 : undefined);
}

function linesOf({ lines }: TouchedPage): number {
  return lines.additions + lines.deletions;
}
