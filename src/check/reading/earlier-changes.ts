import type { RepositoryDeps } from '../../github/reading.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { ChangedFile, EarlierChange } from '../change.ts';
import { type FileVersion, readHistoryOf, readVersions } from '../github/history.ts';
import type { GapList } from './gap-list.ts';
import { isPagePath } from './paths.ts';
import { problemWithAdvice } from './required.ts';

/**
 * The history of more pages takes too long. The pages that lose most lines come first. What is left out
 * is no gap: a change of so many pages is a large one, which is never routine.
 */
const mostPages = 30;

const commitsOfEach = 3;

/** What was read of the history. */
export interface EarlierReading {
  readonly earlier: readonly EarlierChange[];
  /** How many pages were left out. */
  readonly leftOut: number;
}

/**
 * Reads the last changes of those pages that lose lines.
 * @throws the signal's reason if the run is cancelled
 */
export async function readEarlierChanges(
  files: readonly ChangedFile[],
  mergeBase: string,
  gaps: GapList,
  deps: RepositoryDeps,
): Promise<EarlierReading> {
  const shrunk = files
    .filter(({ path, status, deletions }) => {
      return isPagePath(path) && deletions > 0 && (status === 'modified' || status === 'renamed');
    })
    .toSorted((one, other) => other.deletions - one.deletions);
  const paths = shrunk.slice(0, mostPages).map(({ path, previousPath }) => previousPath ?? path);
  const leftOut = shrunk.length - paths.length;
  const fail = (failure: Pick<RequestFailure, 'problem' | 'isRefusal'>) => {
    const problem = problemWithAdvice(failure, 'contents: read');
    gaps.add('', `the history of the changed pages could not be read, because ${problem}`);
    return { earlier: [], leftOut };
  };
  if (paths.length === 0) {
    return { earlier: [], leftOut };
  }
  if (deps.graphqlUrl === '') {
    const problem = 'this server has no GraphQL API at the address of its REST API';
    return fail({ problem, isRefusal: false });
  }
  const histories = await readHistoryOf(paths, mergeBase, commitsOfEach, deps);
  if (histories.kind === 'unread') {
    return fail(histories);
  }
  const changes = paths.flatMap((path) =>
    (histories.value.get(path) ?? []).flatMap(({ commit, parent }) =>
      parent === undefined ? [] : [{ path, commit, parent }],
    ),
  );
  const versions = new Map<string, FileVersion>();
  for (const { path, commit, parent } of changes) {
    for (const one of [commit, parent]) {
      versions.set(keyOf(one, path), { commit: one, path });
    }
  }
  const texts = await readVersions([...versions.values()], deps);
  if (texts.kind === 'unread') {
    return fail(texts);
  }
  const textOf = (commit: string, path: string): string | undefined => {
    const version = versions.get(keyOf(commit, path));
    return version && texts.value.get(version);
  };
  const earlier = changes.flatMap(({ path, commit, parent }) => {
    const [before, after] = [textOf(parent, path), textOf(commit, path)];
    return before === undefined || after === undefined ? [] : [{ path, commit, before, after }];
  });
  return { earlier, leftOut };
}

function keyOf(commit: string, path: string): string {
  return `${commit}:${path}`;
}
