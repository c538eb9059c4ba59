import { type GitHubDeps, listComments } from '../../github/comment-list.ts';
import { readTokenOwner } from '../../github/comment-search.ts';
import { putLabel } from '../../github/labels.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { writeComment } from '../../github/plain-comment.ts';
import { failureOf, type RequestFailure } from '../../github/request.ts';
import { commentText, type Origin } from './comment-text.ts';
import { addRound, type Mark, type Round, readMark } from './rounds.ts';

export interface MarkDeps extends GitHubDeps {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
}

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
export async function markPullRequest(marking: Marking, deps: MarkDeps): Promise<Marked> {
  const { place, label, jobId, round, isOwnRound, origin } = marking;
  const listing = await listComments(place, deps);
  if (listing.kind === 'failed') {
    const failure = await failureOf(listing.response);
    return { mark: undefined, failure: { ...failure, of: 'comment' } };
  }
  const marks = listing.comments
    .map((comment) => ({ ...comment, mark: readMark(comment.body) }))
    .filter(({ mark }) => mark?.jobId === jobId);
  // Others can write the same, and their comments are never changed.
  const owner = marks.length === 0 ? undefined : await readTokenOwner(deps.graphqlUrl, deps);
  const own = marks.find(({ author }) => author.toLowerCase() === owner?.toLowerCase());
  if (own === undefined && marks.length > 0 && owner === undefined) {
    return { mark: undefined };
  }
  if (own?.mark !== undefined && !isOwnRound && isCounted(own.mark, round)) {
    return { mark: own.mark };
  }
  if (own === undefined) {
    const failure = await putLabel(place, label, deps);
    if (failure !== undefined) {
      return { mark: undefined, failure: { ...failure, of: 'label' } };
    }
  }
  const mark = addRound(own?.mark, jobId, round);
  const failure = await writeComment(place, own?.id, commentText(mark, label, origin), deps);
  return { mark, ...(failure && { failure: { ...failure, of: 'comment' } }) };
}

/** A step that only waits may wait for a round that another run has written down. */
function isCounted({ rounds }: Mark, { head }: Round): boolean {
  return head === '' || rounds.at(-1)?.head === head;
}
