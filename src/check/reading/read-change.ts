import type { ThreadPlace } from '../../github/comments.ts';
import { compareCommits, maxFiles } from '../../github/compare.ts';
import { isSameName, threadName } from '../../github/names.ts';
import { type PullRequestDetails, readPullDetails } from '../../github/pull-request.ts';
import type { Reading, RequestFailure, Session } from '../../github/request.ts';
import { ActionError } from '../../text/error.ts';
import type { Change } from '../change.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { type RepositoryDeps, readTree } from '../github/tree.ts';
import { say } from '../sentence.ts';
import type { AssembleOptions, Trees } from './assemble.ts';
import { readPreviewLink } from './preview.ts';

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

export interface ReadingDeps extends Omit<RepositoryDeps, 'session' | 'repository'> {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** `owner/name` of this workflow's repository. */
  readonly ownRepository: string;
  /** Called as soon as the pull request is read, before its files are. */
  readonly onHead?: (headSha: string) => void;
}

/**
 * Reads a pull request from GitHub: its files before and after, and the unchanged pages that may use what
 * it takes away. What cannot be read, but is not needed for everything else, is `unread`.
 *
 * @throws ActionError if the pull request or its list of files cannot be read
 * @throws ActionError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function readChange(
  target: ThreadPlace,
  options: AssembleOptions,
  deps: ReadingDeps,
): Promise<ChangeReading> {
  const place = { target, isOwn: isSameName(target.repository, deps.ownRepository) };
  const repository = { ...deps, ...target, session: requireToken(deps.session, place) };
  const unread: RuleFinding[] = [];
  const facts = required(
    await readPullDetails(target, repository),
    ['it', 'pull-requests: read'],
    place,
  );
  deps.onHead?.(facts.headSha);
  const trees = await readTrees(facts, place, unread, repository);
  const readFiles = async () => {
    // Loaded late, because they load much that the first requests do not need.
    const [{ assemble }, { Texts }] = await Promise.all([
      import('./assemble.ts'),
      import('./texts.ts'),
    ]);
    return await assemble(trees, options, new Texts(repository));
  };
  const [change, previewLink] = await both(readFiles(), readPreviewLink(facts.headSha, repository));
  const late = changedMeanwhile(facts, await readPullDetails(target, repository));
  return {
    headSha: facts.headSha,
    change: { ...change, unread: [...unread, ...change.unread, ...late] },
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

async function readTrees(
  { headSha, baseSha }: PullRequestDetails,
  place: Place,
  unread: RuleFinding[],
  deps: RepositoryDeps,
): Promise<Trees> {
  const readFiles = async (commit: string) =>
    required(await readTree(commit, deps), ['the list of its files', 'contents: read'], place);
  const readBefore = async () => {
    const reading = await compareCommits(deps.repository, baseSha, headSha, deps);
    const what = 'the commit that it started from';
    const { mergeBaseSha, files } = required(reading, [what, 'contents: read'], place);
    return { files, tree: await readFiles(mergeBaseSha) };
  };
  const [{ files: listed, tree: before }, after] = await both(readBefore(), readFiles(headSha));
  const isWhole = !before.isTruncated && !after.isTruncated;
  if (!isWhole) {
    const problem = say`the repository has too many files, so those that are new or gone are not known`;
    unread.push(unjudged({ file: '' }, problem));
  }
  if (listed.length >= maxFiles) {
    const problem = say`the pull request changes too many files, so which of them were renamed is not known`;
    unread.push(unjudged({ file: '' }, problem));
  }
  return { before: before.entries, after: after.entries, isWhole, listed };
}

/** What happened to the pull request while it was judged: commits and another base can arrive. */
function changedMeanwhile(
  { headSha, base, isOpen }: PullRequestDetails,
  reading: Reading<PullRequestDetails>,
): readonly RuleFinding[] {
  if (reading.kind === 'unread') {
    const problem = say`whether commits were added meanwhile is not known (${reading.problem})`;
    return [unjudged({ file: '' }, problem)];
  }
  const { value: now } = reading;
  const problems = [
    now.base !== base &&
      say`the base became ${now.base} while the change of ${base} was judged, so that it may bring other commits`,
    isOpen && !now.isOpen && say`the pull request was closed or merged while it was judged`,
    now.headSha !== headSha &&
      say`commits were added while ${headSha.slice(0, 7)} was judged: the head is ${now.headSha.slice(0, 7)} now`,
  ];
  return problems.flatMap((problem) =>
    problem === false ? [] : [unjudged({ file: '' }, problem)],
  );
}

/** Which pull request, and whose token reads it. */
interface Place {
  readonly target: ThreadPlace;
  /** Whether it belongs to this workflow's repository. */
  readonly isOwn: boolean;
}

/**
 * The value of a reading without which nothing can be judged.
 * @param what what was asked for, such as `its files`, and the permission that it takes
 */
function required<Value>(
  reading: Reading<Value>,
  [what, permission]: readonly [string, string],
  place: Place,
): Value {
  if (reading.kind === 'read') {
    return reading.value;
  }
  const problem = `${reading.problem} when asked for ${what}`;
  throw unreadable(place, problem, adviceOn(reading, permission, place));
}

function requireToken(session: Session | undefined, place: Place): Session {
  if (session === undefined) {
    // An empty string in `with:` keeps GitHub from filling in the default.
    const advice = place.isOwn
      ? "leave the input out, which gives it the workflow's own token"
      : grant('pull-requests: read', place);
    throw unreadable(place, `${inputOf(place)} is empty`, advice);
  }
  return session;
}

/** @param problem follows "because" */
function unreadable({ target }: Place, problem: string, advice: string): ActionError {
  const what = `pull request ${threadName(target)} could not be read, because ${problem}`;
  return new ActionError('pull-request-unreadable', what, advice);
}

function adviceOn({ status, isRefusal }: RequestFailure, permission: string, place: Place): string {
  if (status === 401) {
    return `check that ${inputOf(place)} is complete and has not expired`;
  }
  if (status === 404) {
    return `check that it exists, and ${grant(permission, place)}`;
  }
  return isRefusal && status !== 429 ? grant(permission, place) : 're-run the workflow later';
}

function grant(permission: string, { target, isOwn }: Place): string {
  return isOwn
    ? `give github-token the permission "${permission}"`
    : `give docs-token a token that may read ${target.repository} ("${permission}")`;
}

function inputOf({ isOwn }: Place): string {
  return isOwn ? 'github-token' : 'docs-token';
}
