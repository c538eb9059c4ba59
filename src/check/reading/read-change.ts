import { isSameName } from '../../github/names.ts';
import type { RepositoryDeps, Session } from '../../github/request.ts';
import type { RetryClock } from '../../network/retry.ts';
import type { Change } from '../change.ts';
import {
  type PullRequestFacts,
  readComparison,
  readPullRequestFacts,
  readTree,
} from '../github/pull-request.ts';
import type { Target } from '../target.ts';
import type { Trees } from './assemble.ts';
import { readPreviewLink } from './preview.ts';
import { type RequiredPlace, required, requireToken } from './required.ts';
import { createUnreadList, type UnreadList } from './unread-list.ts';

/** A pull request, read for the rules and the reports. */
export interface ChangeReading {
  /** The commit that is judged. */
  readonly headSha: string;
  readonly change: Change;
  /** How many files the pull request changes, those included that are not known. */
  readonly changedFiles: number;
  /** The docs as the vendor shows them before the merge; https, empty for none. */
  readonly previewLink: string;
}

export interface ReadingOptions {
  /** Empty for the top, `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  /** Globs of files that may change besides the docs' own. */
  readonly allowedPaths: readonly string[];
}

export interface ReadingDeps {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** The address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** `owner/name` of this workflow's repository. */
  readonly ownRepository: string;
  readonly clock: RetryClock;
  /** Aborted when the step has to stop. */
  readonly signal: AbortSignal;
  /** Called as soon as the pull request is read, before its files are. */
  readonly onHead?: (headSha: string) => void;
}

/**
 * Reads a pull request from GitHub: its files before and after, and the unchanged pages that may use what
 * it takes away. What cannot be read, but is not needed for everything else, is `unread`.
 *
 * @throws pullRequestError if the pull request or its list of files cannot be read
 * @throws ActionError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function readChange(
  target: Target,
  options: ReadingOptions,
  deps: ReadingDeps,
): Promise<ChangeReading> {
  const place = { target, isOwn: isSameName(target.repository, deps.ownRepository) };
  const repository = { ...deps, ...target, session: requireToken(deps.session, place) };
  const unread = createUnreadList();
  const facts = await readFacts(place, repository);
  deps.onHead?.(facts.headSha);
  const trees = await readTrees(facts, place, unread, repository);
  const readFiles = async () => {
    // Loaded late, because they load much that the first requests do not need.
    const [{ assemble }, { createTexts }] = await Promise.all([
      import('./assemble.ts'),
      import('./texts.ts'),
    ]);
    return await assemble(
      trees,
      { ...options, signal: deps.signal },
      createTexts(repository),
      unread,
    );
  };
  const [change, previewLink] = await both(readFiles(), readPreviewLink(facts.headSha, repository));
  await checkUnmoved(place, facts, unread, repository);
  return {
    headSha: facts.headSha,
    change: { ...change, unread: unread.all },
    // GitHub's own count, where it does not list all files.
    changedFiles: (trees.isWhole ? undefined : facts.changedFiles) ?? change.files.length,
    previewLink,
  };
}

/** Waits for both, so that nothing goes on after an error. */
async function both<One, Other>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  await Promise.allSettled([one, other]);
  return await Promise.all([one, other]);
}

async function readFacts(place: RequiredPlace, deps: RepositoryDeps): Promise<PullRequestFacts> {
  const reading = await readPullRequestFacts(place.target.number, deps);
  return required(reading, 'it', 'pull-requests: read', place);
}

async function readTrees(
  { headSha, baseSha }: PullRequestFacts,
  place: RequiredPlace,
  unread: UnreadList,
  deps: RepositoryDeps,
): Promise<Trees> {
  const readFiles = async (commit: string) =>
    required(await readTree(commit, deps), 'the list of its files', 'contents: read', place);
  const readBefore = async () => {
    const reading = await readComparison(baseSha, headSha, deps);
    const comparison = required(
      reading,
      'the commit that it started from',
      'contents: read',
      place,
    );
    return { comparison, tree: await readFiles(comparison.mergeBaseSha) };
  };
  const [{ comparison, tree: before }, after] = await both(readBefore(), readFiles(headSha));
  const isWhole = !before.isTruncated && !after.isTruncated;
  if (!isWhole) {
    unread.add(
      '',
      'the repository has too many files, so those that are new or gone are not known',
    );
  }
  if (comparison.isFull) {
    unread.add(
      '',
      'the pull request changes too many files, so which of them were renamed is not known',
    );
  }
  return { before: before.entries, after: after.entries, isWhole, listed: comparison.files };
}

/** Reads the pull request again, because commits and another base can arrive while it is judged. */
async function checkUnmoved(
  place: RequiredPlace,
  { headSha, baseBranch, isOpen }: PullRequestFacts,
  unread: UnreadList,
  deps: RepositoryDeps,
): Promise<void> {
  const reading = await readPullRequestFacts(place.target.number, deps);
  if (reading.kind === 'unread') {
    unread.add('', `whether commits were added meanwhile is not known, because ${reading.problem}`);
    return;
  }
  const { value: now } = reading;
  if (now.baseBranch !== baseBranch) {
    unread.add(
      '',
      `the base became ${now.baseBranch} while the change of ${baseBranch} was judged, so that it may bring other commits`,
    );
  }
  if (isOpen && !now.isOpen) {
    unread.add('', 'the pull request was closed or merged while it was judged');
  }
  if (now.headSha !== headSha) {
    unread.add(
      '',
      `commits were added while ${headSha.slice(0, 7)} was judged: the head is ${now.headSha.slice(0, 7)} now`,
    );
  }
}
