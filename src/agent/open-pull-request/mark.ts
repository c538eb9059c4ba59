import { putLabel } from '../../github/labels.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { writeComment } from '../../github/plain-comment.ts';
import type { RequestFailure } from '../../github/request.ts';
import { commentText, type Origin } from './comment-text.ts';
import { listMarked, type MarkedComment, type MarkedDeps, ownAmong } from './marked-comments.ts';
import { createMarks } from './marks.ts';
import { addRound, type Mark, type Round } from './rounds.ts';

export interface Marking {
  readonly place: MarkerPlace;
  readonly label: string;
  readonly jobId: string;
  readonly round: Round;
  /** Whether this step sent the job something to do. */
  readonly isOwnRound: boolean;
  readonly origin: Origin;
}

/** The rounds of the pull request as they stand now, or what kept this step from writing them down. */
export interface Marked {
  readonly mark: Mark | undefined;
  readonly failure?: RequestFailure & { readonly of: 'label' | 'comment' };
}

/**
 * Puts the label on a pull request and leaves our comment there, or adds this round to the comment.
 * The comment also says that the label was put: a label that somebody took off stays off.
 */
export async function markPullRequest(marking: Marking, deps: MarkedDeps): Promise<Marked> {
  const { place, label, jobId, round, isOwnRound, origin } = marking;
  const listing = await listMarked(place, deps);
  if (listing.kind === 'failed') {
    return { mark: undefined, failure: { ...listing, of: 'comment' } };
  }
  const comments = listing.comments.filter((comment) => comment.jobId === jobId);
  const owned = await ownAmong(comments, deps);
  // Others' comments are never changed, but what they say counts if this API key signed it.
  const own = latestOf(owned ?? []);
  const latest = latestOf([...(owned ?? []), ...comments.filter(({ isSigned }) => isSigned)]);
  if (owned === undefined) {
    return { mark: latest };
  }
  if (latest !== undefined && !isOwnRound && isCounted(latest, round)) {
    return { mark: latest };
  }
  if (latest === undefined) {
    const failure = await putLabel(place, label, deps);
    if (failure !== undefined) {
      return { mark: undefined, failure: { ...failure, of: 'label' } };
    }
  }
  const mark = addRound(latest, jobId, round);
  const line = createMarks(deps.apiKey, place).write(mark);
  const failure = await writeComment(place, own?.id, commentText(mark, line, label, origin), deps);
  return { mark, ...(failure && { failure: { ...failure, of: 'comment' } }) };
}

/** An old comment, or a copy of it, has fewer rounds. */
function latestOf(comments: readonly MarkedComment[]): MarkedComment | undefined {
  return comments.toSorted((a, b) => b.count - a.count)[0];
}

/** A step that only waits may wait for a round that another run has written down. */
function isCounted({ rounds }: Mark, { head }: Round): boolean {
  return head === '' || rounds.at(-1)?.head === head;
}
