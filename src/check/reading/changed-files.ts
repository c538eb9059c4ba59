import type { ChangedFile } from '../change.ts';
import type { Difference } from './differences.ts';
import type { GapList } from './gap-list.ts';
import { isTextPath } from './paths.ts';
import { withRenames } from './renames.ts';
import type { Missing, Texts, VersionFile } from './texts.ts';

/**
 * Reads both versions of all files that differ, and finds those that were renamed.
 * @throws the signal's reason if the run is cancelled
 */
export async function readChangedFiles(
  differences: readonly Difference[],
  texts: Texts,
  gaps: GapList,
): Promise<readonly ChangedFile[]> {
  const versions = differences.flatMap(({ path, before, after }): VersionFile[] =>
    [before, after].flatMap((entry) => (entry === undefined ? [] : [{ path, entry }])),
  );
  const missing = await texts.read(versions);
  addGaps(missing, gaps);
  const { createLineCounter } = await import('./line-counts.ts');
  const countLines = createLineCounter();
  return withRenames(differences, texts.textOf).map((difference) => {
    const { path, previousPath } = difference;
    const isUnread = [path, previousPath ?? path].some(
      (one) => missing.get(one)?.kind === 'unread',
    );
    // Compared with nothing, all of the other text would seem to be new or gone.
    const [before, after] = isUnread
      ? []
      : [textOf(difference.before, texts), textOf(difference.after, texts)];
    return {
      path,
      ...(previousPath === undefined ? {} : { previousPath }),
      status: statusOf(difference),
      before,
      after,
      ...countLines(before ?? '', after ?? ''),
      ...(isUnread ? { isUnread } : {}),
    };
  });
}

function addGaps(missing: ReadonlyMap<string, Missing>, gaps: GapList): void {
  const problems = new Map<string, string>();
  for (const [path, reason] of missing) {
    if (reason.kind === 'unread') {
      problems.set(path, `the file could not be read, because ${reason.problem}`);
    } else if (isTextPath(path)) {
      gaps.add(path, 'the file is binary, although its name says that it is text');
    }
  }
  gaps.addAll(problems);
}

function textOf(entry: Difference['before'], texts: Texts): string | undefined {
  return entry?.kind === 'file' || entry?.kind === 'executable'
    ? texts.textOf(entry.sha)
    : undefined;
}

function statusOf({ previousPath, before, after }: Difference): ChangedFile['status'] {
  if (previousPath !== undefined) {
    return 'renamed';
  }
  if (before === undefined) {
    return 'added';
  }
  return after === undefined ? 'deleted' : 'modified';
}
