import { listComments } from '../../github/comment-list.ts';
import { hasSections } from '../../github/comment-section.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import type { GitHubDeps, Reading } from '../../github/reading.ts';
import type { ListedComment } from '../../github/response-schema.ts';
import { createMarks, type FoundMark } from './marks.ts';

/** A comment with a mark. */
export interface MarkedComment extends FoundMark, ListedComment {}

/** The comments on a pull request that are of interest here. */
export interface MarkListing {
  /** Those with a mark, newest first. */
  readonly comments: readonly MarkedComment[];
  /** Those without a mark that have sections of other actions, oldest first. */
  readonly onlySections: readonly ListedComment[];
}

export interface MarkedDeps extends GitHubDeps {
  /** Verifies the signatures of marks. */
  readonly apiKey: string;
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
}

/**
 * Lists the comments on a pull request that have a mark, and those that can get one.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listMarked(
  place: MarkerPlace,
  deps: MarkedDeps,
): Promise<Reading<MarkListing>> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'unread') {
    return listing;
  }
  const marks = createMarks(deps.apiKey, place);
  const comments: MarkedComment[] = [];
  const onlySections: ListedComment[] = [];
  for (const comment of listing.value) {
    const mark = marks.read(comment.body);
    if (mark !== undefined) {
      comments.unshift({ ...mark, ...comment });
    } else if (hasSections(comment.body)) {
      onlySections.push(comment);
    }
  }
  return { kind: 'read', value: { comments, onlySections } };
}

/** The one with most rounds: an old comment, or a copy of it, has fewer. */
export function latestOf(comments: readonly MarkedComment[]): MarkedComment | undefined {
  return comments.toSorted((a, b) => b.count - a.count)[0];
}
