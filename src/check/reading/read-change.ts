import type { ThreadPlace } from '../../github/comments.ts';
import { compareCommits, maxFiles } from '../../github/compare.ts';
import { isSameName, threadName } from '../../github/names.ts';
import { type PullRequestDetails, readPullDetails } from '../../github/pull-request.ts';
import type { Reading, RequestFailure, Session } from '../../github/request.ts';
import { ActionError } from '../../text/error.ts';
import type { Change } from '../change.ts';
import { unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import type { AssembleOptions, Trees } from './assemble.ts';
import { readPreviewLink } from './preview.ts';
import { type RepositoryDeps, readTree } from './tree.ts';

/** A pull request, read for the rules and the reports. */
export interface ChangeReading {
  /** The commit that is judged. */
  readonly headSha: string;
  readonly change: Change;
  /** How many files the pull request changes, as GitHub counts them. */
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
 * @throws ActionError if the folder of the docs cannot be found, or its settings cannot be read
 * @throws the signal's reason if the run is cancelled
 */
export async function readChange(
  target: ThreadPlace,
  options: AssembleOptions,
  { session, ownRepository, onHead, ...others }: ReadingDeps,
): Promise<ChangeReading> {
  const isOwn = isSameName(target.repository, ownRepository);
  const place = { target, tokenInput: isOwn ? 'github-token' : 'docs-token' } as const;
  if (session === undefined) {
    const advice = "leave the input out, which gives it the workflow's own token";
    throw unreadable(place, 'github-token is empty', advice);
  }
  const deps = { ...others, ...target, session };
  const facts = needed(await readPullDetails(target, deps), 'pull-requests: read', place);
  onHead?.(facts.headSha);
  const { trees, previewLink } = await readCommits(facts, deps, place);
  // Loaded late, because they load much that the first requests do not need.
  const [{ assemble }, { Texts }] = await Promise.all([
    import('./assemble.ts'),
    import('./texts.ts'),
  ]);
  const change = await assemble(trees, options, new Texts(deps));
  const gaps = [...gapsOf(trees), ...changedMeanwhile(facts, await readPullDetails(target, deps))];
  const unread = gaps.map((problem) => unjudged({ file: '' }, problem));
  return {
    headSha: facts.headSha,
    change: { ...change, unread: [...change.unread, ...unread] },
    changedFiles: facts.changedFiles,
    previewLink,
  };
}

/** Errors come after all responses, so that no request goes on behind them. */
async function readCommits(
  { headSha, baseSha }: PullRequestDetails,
  deps: RepositoryDeps,
  place: Place,
): Promise<{ readonly trees: Trees; readonly previewLink: string }> {
  const [comparison, head, previewLink] = await Promise.all([
    compareCommits(deps.repository, baseSha, headSha, deps),
    readTree(headSha, deps),
    readPreviewLink(headSha, deps),
  ]);
  const { mergeBaseSha, files: listed } = needed(comparison, 'contents: read', place);
  const after = needed(head, 'contents: read', place);
  const before = needed(await readTree(mergeBaseSha, deps), 'contents: read', place);
  const isWhole = !before.isTruncated && !after.isTruncated;
  const trees = { before: before.entries, after: after.entries, isWhole, listed };
  return { trees, previewLink };
}

/** What GitHub leaves out of its lists. */
function gapsOf({ isWhole, listed }: Trees): readonly Sentence[] {
  return [
    ...(isWhole
      ? []
      : [say`the repository has too many files, so those that are new or gone are not known`]),
    ...(listed.length < maxFiles
      ? []
      : [say`the pull request changes too many files, so which of them were renamed is not known`]),
  ];
}

/** What happened to the pull request while it was judged: commits and another base can arrive. */
function changedMeanwhile(
  facts: PullRequestDetails,
  reading: Reading<PullRequestDetails>,
): readonly Sentence[] {
  if (reading.kind === 'unread') {
    return [say`whether commits were added meanwhile is not known (${reading.problem})`];
  }
  const stateOf = ({ headSha, base, isOpen }: PullRequestDetails) =>
    `${headSha} into ${base}, ${isOpen ? 'open' : 'closed or merged'}`;
  const [was, is] = [stateOf(facts), stateOf(reading.value)];
  return was === is ? [] : [say`the pull request changed meanwhile from ${was} to ${is}`];
}

/** A pull request, and the input with the token that reads it. */
interface Place {
  readonly target: ThreadPlace;
  readonly tokenInput: 'github-token' | 'docs-token';
}

/**
 * The value of a reading without which nothing can be judged.
 * @param permission that it takes
 */
function needed<Value>(reading: Reading<Value>, permission: string, place: Place): Value {
  if (reading.kind === 'read') {
    return reading.value;
  }
  throw unreadable(place, reading.problem, adviceOn(reading, permission, place));
}

/** @param problem a main clause */
function unreadable({ target }: Place, problem: string, advice: string): ActionError {
  const what = `pull request ${threadName(target)} could not be read, because ${problem}`;
  return new ActionError('pull-request-unreadable', what, advice);
}

function adviceOn(
  { status, isRefusal }: RequestFailure,
  permission: string,
  { target, tokenInput }: Place,
): string {
  if (!isRefusal) {
    return 're-run the workflow later';
  }
  if (status === 401) {
    return `check that ${tokenInput} is complete and has not expired`;
  }
  const grant = `give ${tokenInput} the permission "${permission}" on ${target.repository}`;
  return status === 404 ? `check that it exists, and ${grant}` : grant;
}
