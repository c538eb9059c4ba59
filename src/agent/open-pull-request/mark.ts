import { ownAmong, unknownOwner } from '../../github/comment-search.ts';
import { putLabel } from '../../github/labels.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { writeComment } from '../../github/plain-comment.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { ListedComment } from '../../github/response-schema.ts';
import { commentText, type Origin } from './comment-text.ts';
import { latestOf, listMarked, type MarkedDeps } from './marked-comments.ts';
import { createMarks } from './marks.ts';
import { addRound, type Mark, type Round } from './rounds.ts';

/** What the comments on a pull request say of the rounds that its job has had. */
export interface KnownRounds {
  /** The latest mark that this API key signed, or our own login wrote. */
  readonly latest: Mark | undefined;
  /** Our own comment; others' are never changed. */
  readonly own: ListedComment | undefined;
  /** Whether GitHub said which comments are ours. */
  readonly isOwnerKnown: boolean;
}

/** Why a pull request is not marked. */
export type MarkFailure = RequestFailure & { readonly of: 'label' | 'comment' };

/** Reads what earlier runs have written down of a job, or why that could not be read. */
export async function readRounds(
  place: MarkerPlace,
  jobId: string,
  deps: MarkedDeps,
): Promise<KnownRounds | { readonly failure: MarkFailure }> {
  const listing = await listMarked(place, deps);
  if (listing.kind === 'unread') {
    return { failure: { ...listing, of: 'comment' } };
  }
  const comments = listing.value.filter((comment) => comment.jobId === jobId);
  const own = await ownAmong(comments, deps);
  return {
    latest: latestOf([...(own ?? []), ...comments.filter(({ isSigned }) => isSigned)]),
    own: latestOf(own ?? []),
    isOwnerKnown: own !== undefined,
  };
}

export interface Marking extends Pick<Mark, 'jobId' | 'lastForcePush'> {
  readonly place: MarkerPlace;
  readonly label: string;
  readonly round: Round;
  /** Whether this step sent the job something to do. */
  readonly isOwnRound: boolean;
  readonly origin: Origin;
}

/** The rounds of the pull request as they stand now, or what kept this step from writing them down. */
export interface Marked {
  readonly mark: Mark | undefined;
  readonly failure?: MarkFailure;
}

/**
 * Puts the label on a pull request and leaves our comment there, or adds this round to the comment.
 * The comment also says that the label was put: a label that people took off stays off.
 */
export async function markPullRequest(
  marking: Marking,
  { latest, own, isOwnerKnown }: KnownRounds,
  deps: MarkedDeps,
): Promise<Marked> {
  const { place, label, round, isOwnRound, origin } = marking;
  const isWritten = latest !== undefined && !isOwnRound && isCounted(latest, round);
  if (isWritten) {
    return { mark: latest };
  }
  if (!isOwnerKnown) {
    return { mark: latest, failure: { ...unknownOwner, of: 'comment' } };
  }
  if (latest === undefined) {
    const failure = await putLabel(place, label, deps);
    if (failure !== undefined) {
      return { mark: undefined, failure: { ...failure, of: 'label' } };
    }
  }
  const mark = addRound(latest, marking);
  const line = createMarks(deps.apiKey, place).write(mark);
  const body = commentText(mark, line, label, origin);
  const failure = await writeComment(place, own?.id, body, deps);
  return { mark, ...(failure && { failure: { ...failure, of: 'comment' } }) };
}

/** A step that only waits may wait for a round that another run has written down. */
function isCounted({ rounds }: Mark, { head }: Round): boolean {
  return head === '' || rounds.at(-1)?.head === head;
}
