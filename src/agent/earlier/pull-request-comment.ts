import {
  check,
  fallback,
  minValue,
  number,
  object,
  optional,
  pipe,
  regex,
  safeInteger,
  string,
} from 'valibot';
import {
  type ListedComment,
  listComments,
  ownAmong,
  type ThreadPlace,
  unknownOwner,
  writeComment,
} from '../../github/comments.ts';
import { isSameName } from '../../github/names.ts';
import { putLabel } from '../../github/pull-request.ts';
import type { GitHubDeps, Outcome, RequestFailure } from '../../github/request.ts';
import { isJobId } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import { createSeals, hiddenLine, hiddenSeal, readUnverified } from '../../text/seal.ts';

/** A repository whose workflow asked for a pull request. */
export interface Source {
  /** It stays when the repository is renamed; empty if the runner does not say it. */
  readonly id: string;
  /** `owner/name`, for people, and where there is no id. */
  readonly name: string;
}

export function sourceOf({
  repositoryId: id,
  repository: name,
}: Pick<Environment, 'repositoryId' | 'repository'>): Source {
  return { id, name };
}

/** What our comment on a pull request tells the next run. */
export interface Mark {
  readonly jobId: string;
  /** How many runs have worked on the pull request. */
  readonly round: number;
  /** The last of them, such as `acme/product#1001`. */
  readonly run: string;
  /** The pull request's last commit after it; empty if that is not known. */
  readonly head: string;
  /** When it was written, and force-pushes were checked, milliseconds since 1970. */
  readonly atMs: number;
  /** Who asked for the pull request; older comments do not say it. */
  readonly source?: Source | undefined;
}

const count = pipe(number(), safeInteger(), minValue(0));

const markSchema = object({
  jobId: pipe(string(), check(isJobId)),
  round: count,
  run: string(),
  head: pipe(string(), regex(/^[\da-f]*$/)),
  atMs: count,
  source: fallback(
    optional(
      object({
        id: pipe(string(), regex(/^\d*$/)),
        name: pipe(string(), regex(/^[\w.-]+\/[\w.-]+$/)),
      }),
    ),
    undefined,
  ),
});

/** A comment with a mark. */
export interface MarkedComment extends Mark, ListedComment {
  /** Whether this API key sealed it for this pull request. Others can write the same words. */
  readonly isSigned: boolean;
}

export interface MarkDeps extends GitHubDeps {
  readonly apiKey: string;
}

/** A pull request, whose repository may have been renamed. */
export interface MarkedPlace extends ThreadPlace {
  /** Another name that its repository has or had, as far as that is known. */
  readonly otherName?: string | undefined;
}

/**
 * Lists the comments on a pull request that have a mark, newest first.
 *
 * The seal proves what a comment says, whichever token wrote it. Which job it names needs no proof by it,
 * because the API is asked for that; so a new API key loses no pull request.
 *
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listMarked(
  { otherName, ...place }: MarkedPlace,
  deps: MarkDeps,
): Promise<Outcome<readonly MarkedComment[]>> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const { unseal } = createSeals(deps.apiKey);
  const where = sealedFor(place);
  const underOtherName = sealedFor({ ...place, repository: otherName ?? place.repository });
  const marked = listing.value.flatMap((comment) => {
    const word = hiddenSeal(comment.body);
    const sealed = unseal(markSchema, word, where) ?? unseal(markSchema, word, underOtherName);
    const mark = sealed ?? readUnverified(markSchema, word, where.purpose);
    return mark === undefined ? [] : [{ ...mark, ...comment, isSigned: sealed !== undefined }];
  });
  return { kind: 'ok', value: marked.toReversed() };
}

function sealedFor({ repository, number: thread }: ThreadPlace) {
  return { purpose: 'pull-request', place: `${repository}#${thread}` };
}

/** The latest of several: an old comment, or a copy of it, has fewer rounds. */
export function latestOf(comments: readonly MarkedComment[]): MarkedComment | undefined {
  return comments.toSorted((a, b) => b.round - a.round)[0];
}

/**
 * The repository that asked for a pull request, if it is another one than `ours`. A comment that this API
 * key sealed tells; otherwise all comments have to name another one, because anybody can write one more.
 */
export function otherSource(comments: readonly MarkedComment[], ours: Source): Source | undefined {
  const latest = latestOf(comments.filter(({ isSigned }) => isSigned));
  const sources = (latest === undefined ? comments : [latest]).map(({ source }) => source);
  return sources.every((source) => source !== undefined && !isSameSource(source, ours))
    ? sources[0]
    : undefined;
}

function isSameSource(one: Source, other: Source): boolean {
  return one.id === '' || other.id === '' ? isSameName(one.name, other.name) : one.id === other.id;
}

/** What the comments on a pull request say of one job. */
interface MarksOfJob {
  /** The latest mark that this API key sealed, or our own login wrote. */
  readonly latest: Mark | undefined;
  /** Our own comment; others' are never changed. */
  readonly own: ListedComment | undefined;
  /** Whether GitHub said which comments are ours. */
  readonly isOwnerKnown: boolean;
}

/** Reads what earlier runs have written down of a job, or why that could not be read. */
export async function readMarks(
  place: MarkedPlace,
  jobId: string,
  deps: MarkDeps,
): Promise<Outcome<MarksOfJob>> {
  const listing = await listMarked(place, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const comments = listing.value.filter((comment) => comment.jobId === jobId);
  const own = await ownAmong(comments, deps);
  const latest = latestOf([...(own ?? []), ...comments.filter(({ isSigned }) => isSigned)]);
  return {
    kind: 'ok',
    value: { latest, own: latestOf(own ?? []), isOwnerKnown: own !== undefined },
  };
}

/** Why a pull request is not marked. */
export interface MarkFailure extends RequestFailure {
  readonly of: 'label' | 'comment';
}

/**
 * Puts the label on a pull request, unless an earlier run did, and leaves our comment there. A label that
 * people took off stays off. A comment that GitHub did not confirm is not created again, because then
 * there could be two.
 *
 * @returns why that failed
 */
export async function markPullRequest(
  { place, label, mark, text }: MarkedPullRequest,
  { latest, own, isOwnerKnown }: MarksOfJob,
  deps: MarkDeps,
): Promise<MarkFailure | undefined> {
  if (!isOwnerKnown) {
    return { ...unknownOwner, of: 'comment' };
  }
  const refusal = latest === undefined ? await putLabel(place, label, deps) : undefined;
  if (refusal !== undefined) {
    return { ...refusal, of: 'label' };
  }
  const seal = createSeals(deps.apiKey).seal(mark, sealedFor(place));
  const body = `${text}\n\n${hiddenLine(seal)}\n`;
  const written = await writeComment(place, own?.id, body, deps);
  return written.kind === 'ok' ? undefined : { ...written, of: 'comment' };
}

interface MarkedPullRequest {
  readonly place: ThreadPlace;
  readonly label: string;
  readonly mark: Mark;
  /** The comment for people, in Markdown. */
  readonly text: string;
}
