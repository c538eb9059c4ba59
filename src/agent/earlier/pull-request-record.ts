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
export interface PullRequestRecord {
  readonly jobId: string;
  /** How many runs have worked on the pull request. */
  readonly round: number;
  /** The last of them, such as `acme/product#1001`. */
  readonly run: string;
  /** The pull request's last commit after it; empty if that is not known. */
  readonly head: string;
  /** Who asked for the pull request; older comments do not say it. */
  readonly source?: Source | undefined;
}

const count = pipe(number(), safeInteger(), minValue(0));

const recordSchema = object({
  jobId: pipe(string(), check(isJobId)),
  round: count,
  run: string(),
  head: pipe(string(), regex(/^[\da-f]*$/)),
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

/** A comment with such a record. */
export interface RecordedComment extends PullRequestRecord, ListedComment {
  /** Whether this API key sealed it for this pull request. Others can write the same words. */
  readonly isSigned: boolean;
}

export interface PullRequestDeps extends GitHubDeps {
  readonly apiKey: string;
}

/** A pull request, whose repository may have been renamed. */
export interface PullRequestPlace extends ThreadPlace {
  /** Another name that its repository has or had, as far as that is known. */
  readonly otherName?: string | undefined;
}

/**
 * Lists the comments on a pull request that have a record, newest first.
 *
 * The seal proves what a comment says, whichever token wrote it. Which job it names needs no proof by it,
 * because the API is asked for that; so a new API key loses no pull request.
 *
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listRecorded(
  { otherName, ...place }: PullRequestPlace,
  deps: PullRequestDeps,
): Promise<Outcome<readonly RecordedComment[]>> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const { unseal } = createSeals(deps.apiKey);
  const where = sealedFor(place);
  const underOtherName = sealedFor({ ...place, repository: otherName ?? place.repository });
  const recorded = listing.value.flatMap((comment) => {
    const word = hiddenSeal(comment.body);
    const sealed = unseal(recordSchema, word, where) ?? unseal(recordSchema, word, underOtherName);
    const record = sealed ?? readUnverified(recordSchema, word, where.purpose);
    return record === undefined ? [] : [{ ...record, ...comment, isSigned: sealed !== undefined }];
  });
  return { kind: 'ok', value: recorded.toReversed() };
}

function sealedFor({ repository, number: thread }: ThreadPlace) {
  return { purpose: 'pull-request', place: `${repository}#${thread}` };
}

/** The latest of several: an old comment, or a copy of it, has fewer rounds. */
export function latestOf(comments: readonly RecordedComment[]): RecordedComment | undefined {
  return comments.toSorted((a, b) => b.round - a.round)[0];
}

/** Who asked for a pull request, as its comments tell. */
export type AskedBy =
  /** This repository, or a repository that is not known. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'another'; readonly source: Source }
  /** Comments that this API key did not seal name different repositories, so one of them is not ours. */
  | { readonly kind: 'contradiction'; readonly comments: readonly RecordedComment[] };

/**
 * Finds out who asked for a pull request. A comment that this API key sealed tells; otherwise all comments have to
 * say the same, because anybody can write one more.
 */
export function whoAsked(comments: readonly RecordedComment[], ours: Source): AskedBy {
  const latest = latestOf(comments.filter(({ isSigned }) => isSigned));
  const trusted = latest === undefined ? comments : [latest];
  const isOther = ({ source }: RecordedComment) =>
    source !== undefined && !isSameSource(source, ours);
  const other = trusted.find(isOther);
  if (other?.source === undefined) {
    return { kind: 'ours' };
  }
  if (trusted.every(isOther)) {
    return { kind: 'another', source: other.source };
  }
  const own = trusted.find((comment) => comment.source !== undefined && !isOther(comment));
  return own === undefined ? { kind: 'ours' } : { kind: 'contradiction', comments: [own, other] };
}

function isSameSource(one: Source, other: Source): boolean {
  return one.id === '' || other.id === '' ? isSameName(one.name, other.name) : one.id === other.id;
}

/** What the comments on a pull request say of one job. */
interface RecordsOfJob {
  /** The latest record that this API key sealed, or our own login wrote. */
  readonly latest: PullRequestRecord | undefined;
  /** Our own comment; others' are never changed. */
  readonly own: ListedComment | undefined;
  /** Whether GitHub said which comments are ours. */
  readonly isOwnerKnown: boolean;
}

/** Reads what earlier runs have written down of a job, or why that could not be read. */
export async function readRecordsOf(
  jobId: string,
  place: PullRequestPlace,
  deps: PullRequestDeps,
): Promise<Outcome<RecordsOfJob>> {
  const listing = await listRecorded(place, deps);
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

/** Why a record was not left. */
export interface RecordFailure extends RequestFailure {
  readonly of: 'label' | 'comment';
}

/**
 * Puts the label on a pull request, unless an earlier run did, and leaves our comment there. A label that
 * people took off stays off. A comment that GitHub did not confirm is not created again, because then
 * there could be two.
 *
 * @returns why that failed
 */
export async function leaveRecord(
  { place, label, record, text }: LeftRecord,
  { latest, own, isOwnerKnown }: RecordsOfJob,
  deps: PullRequestDeps,
): Promise<RecordFailure | undefined> {
  if (!isOwnerKnown) {
    return { ...unknownOwner, of: 'comment' };
  }
  const refusal = latest === undefined ? await putLabel(place, label, deps) : undefined;
  if (refusal !== undefined) {
    return { ...refusal, of: 'label' };
  }
  const seal = createSeals(deps.apiKey).seal(record, sealedFor(place));
  const body = `${text}\n\n${hiddenLine(seal)}\n`;
  const written = await writeComment(place, own?.id, body, deps);
  return written.kind === 'ok' ? undefined : { ...written, of: 'comment' };
}

interface LeftRecord {
  readonly place: ThreadPlace;
  readonly label: string;
  readonly record: PullRequestRecord;
  /** The comment for people, in Markdown. */
  readonly text: string;
}
