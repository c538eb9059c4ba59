import { listComments } from '../../github/comment-list.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import type { GitHubDeps, Reading } from '../../github/reading.ts';
import type { ListedComment } from '../../github/response-schema.ts';
import { createMarks, type FoundMark } from './marks.ts';

/** A comment with a mark. */
export interface MarkedComment extends FoundMark, ListedComment {}

export interface MarkedDeps extends GitHubDeps {
  /** Verifies the signatures of marks. */
  readonly apiKey: string;
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
}

/**
 * Lists the comments on a pull request that have a mark, newest first.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listMarked(
  place: MarkerPlace,
  deps: MarkedDeps,
): Promise<Reading<readonly MarkedComment[]>> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'unread') {
    return listing;
  }
  const marks = createMarks(deps.apiKey, place);
  const comments: MarkedComment[] = [];
  for (const comment of listing.value) {
    const mark = marks.read(comment.body);
    if (mark !== undefined) {
      comments.unshift({ ...mark, ...comment });
    }
  }
  return { kind: 'read', value: comments };
}

/** The one with most rounds: an old comment, or a copy of it, has fewer. */
export function latestOf(comments: readonly MarkedComment[]): MarkedComment | undefined {
  return comments.toSorted((a, b) => b.count - a.count)[0];
}
