import { compare, listReleases } from '../../../github/compare.ts';
import type { Release } from '../../../github/event-schema.ts';
import type { RequiredDeps } from '../../../github/reading.ts';
import { inputError } from '../../../text/error.ts';
import { quoted } from '../../../text/plain.ts';
import { advice, type ChangesRun, type FoundStart, isInHistory, payloadOf } from './run.ts';

/** Enough releases of other branches to pass over. */
const mostReleases = 10;

/**
 * The newest release before this one in its history. Projects that maintain several versions publish
 * releases of other branches in between.
 *
 * @throws ActionError if there is none
 * @throws ActionError if GitHub cannot be asked
 */
export async function sinceEarlierRelease(
  run: ChangesRun,
  deps: RequiredDeps,
): Promise<FoundStart> {
  const { readReleaseOf } = await import('../../../github/event-schema.ts');
  const release = readReleaseOf(payloadOf(run));
  if (release === undefined) {
    throw inputError(
      'changes-since',
      'has to name the start of {{changes}}, because the event names no release',
      advice,
    );
  }
  const earlier = earlierReleases(release, await listReleases(deps)).slice(0, mostReleases);
  for (const { tag } of earlier) {
    const page = await compare(tag, run.sha, deps);
    if (isInHistory(page)) {
      return { name: tag, page, warnings: [] };
    }
  }
  const tag = quoted(release.tag);
  const problem =
    earlier.length === 0
      ? `no release was published before ${tag}`
      : `the history of ${tag} has no release among the ${earlier.length} before it`;
  throw inputError(
    'changes-since',
    `has to name the start of {{changes}}, because ${problem}`,
    'give a commit, a tag or a branch',
  );
}

/**
 * The releases that were published before this one, newest first. Prereleases only count before
 * another prerelease.
 */
export function earlierReleases(release: Release, all: readonly Release[]): readonly Release[] {
  return all
    .filter(({ tag, isDraft }) => tag !== release.tag && !isDraft)
    .filter(({ isPrerelease }) => release.isPrerelease || !isPrerelease)
    .filter(
      ({ publishedAt }) =>
        publishedAt !== '' && (release.publishedAt === '' || publishedAt < release.publishedAt),
    )
    .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}
