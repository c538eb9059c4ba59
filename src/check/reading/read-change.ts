import { compareCommits } from '../../github/compare.ts';
import { adviceOnToken, type RepositoryToken } from '../../github/errors.ts';
import { type ThreadPlace, threadName } from '../../github/names.ts';
import { type PullRequestDetails, readPullDetails } from '../../github/pull-request.ts';
import type { GitHubDeps, Outcome, RepositoryDeps } from '../../github/request.ts';
import { ActionError, rerunLater } from '../../text/error.ts';
import type { Change } from '../change.ts';
import { unjudged } from '../finding.ts';
import { say } from '../sentence.ts';
import type { AssembleOptions } from './assemble.ts';
import { readTree, type Trees } from './tree.ts';

/** A pull request, read for the rules and the reports. */
export interface ChangeReading {
  /** The commit that is judged. */
  readonly headSha: string;
  readonly change: Change;
  /** How many files the pull request changes, as GitHub counts them. */
  readonly changedFiles: number;
}

export interface ReadingDeps extends GitHubDeps {
  readonly token: Pick<RepositoryToken, 'input' | 'isStandIn'>;
  /** Called as soon as the pull request is read, before its files are. */
  readonly onHead?: (headSha: string) => void;
}

/**
 * Reads a pull request from GitHub: its files before and after, and the unchanged pages that may use what
 * it takes away. What cannot be read, but is not needed for everything else, is `unread`.
 *
 * @throws ActionError if the pull request or its list of files cannot be read
 * @throws ActionError if the folder of the docs cannot be found, or its settings cannot be read
 * @throws the signal's reason if the run is cancelled
 */
export async function readChange(
  target: ThreadPlace,
  options: AssembleOptions,
  { onHead, ...others }: ReadingDeps,
): Promise<ChangeReading> {
  const deps = { ...others, ...target };
  const pull = needed(await readPullDetails(target, deps), 'pull-requests: read', deps);
  onHead?.(pull.headSha);
  const trees = await readCommits(pull, deps);
  // Loaded late, because the first requests do not need the parsers.
  const [{ assemble }, { Texts }] = await Promise.all([
    import('./assemble.ts'),
    import('./texts.ts'),
  ]);
  const { unread, ...change } = await assemble(trees, options, new Texts(deps));
  const meanwhile = changedMeanwhile(pull, await readPullDetails(target, deps));
  deps.signal.throwIfAborted();
  return {
    headSha: pull.headSha,
    change: { ...change, unread: [...unread, ...meanwhile] },
    changedFiles: pull.changedFiles,
  };
}

/** A pull request, and what reads it. */
interface PullDeps extends RepositoryDeps, ThreadPlace, Pick<ReadingDeps, 'token'> {}

/** Lists the files of both commits. Throws after all responses have arrived, so that no request is left running. */
async function readCommits(
  { headSha, baseSha }: PullRequestDetails,
  deps: PullDeps,
): Promise<Trees> {
  const [comparison, head] = await Promise.all([
    compareCommits(deps.repository, baseSha, headSha, deps),
    readTree(headSha, deps),
  ]);
  const { mergeBaseSha, files: listed } = needed(comparison, 'contents: read', deps);
  const after = needed(head, 'contents: read', deps);
  const before = needed(await readTree(mergeBaseSha, deps), 'contents: read', deps);
  const isWhole = !before.isTruncated && !after.isTruncated;
  return { before: before.entries, after: after.entries, isWhole, listed };
}

/** Finds what happened to the pull request while it was judged, such as new commits or another base. */
function changedMeanwhile(
  pull: PullRequestDetails,
  reading: Outcome<PullRequestDetails>,
): Change['unread'] {
  if (reading.kind === 'failed') {
    const problem = say`whether commits were added meanwhile is not known (${reading.problem})`;
    return [unjudged({ file: '' }, problem)];
  }
  const stateOf = ({ headSha, base, isOpen }: PullRequestDetails) =>
    `${headSha} into ${base}, ${isOpen ? 'open' : 'closed or merged'}`;
  const [was, is] = [stateOf(pull), stateOf(reading.value)];
  const problem = say`the pull request changed meanwhile from ${was} to ${is}`;
  return was === is ? [] : [unjudged({ file: '' }, problem)];
}

/**
 * The value of a reading without which nothing can be judged.
 * @param permission the permission that the reading takes
 */
function needed<Value>(reading: Outcome<Value>, permission: string, deps: PullDeps): Value {
  if (reading.kind === 'ok') {
    return reading.value;
  }
  const what = `pull request ${threadName(deps)} could not be read, because ${reading.problem}`;
  const { token, repository } = deps;
  const advice = reading.isRefusal
    ? adviceOnToken(reading, `the permission "${permission}"`, { ...token, repository })
    : rerunLater;
  throw new ActionError('pull-request-unreadable', what, advice);
}
