import { type GitHubDeps, listComments } from '../../github/comment-list.ts';
import { readTokenOwner } from '../../github/comment-search.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { failureOf, type RequestFailure } from '../../github/request.ts';
import { createMarks, type FoundMark } from './marks.ts';

/** A comment with a mark. */
export interface MarkedComment extends FoundMark {
  readonly id: number;
  /** Login of the author; empty when the account is gone. */
  readonly author: string;
}

export type MarkListing =
  | { readonly kind: 'listed'; readonly comments: readonly MarkedComment[] }
  | ({ readonly kind: 'failed' } & RequestFailure);

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
export async function listMarked(place: MarkerPlace, deps: MarkedDeps): Promise<MarkListing> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'failed') {
    return { kind: 'failed', ...(await failureOf(listing.response)) };
  }
  const marks = createMarks(deps.apiKey, place);
  const comments = listing.comments.flatMap(({ id, author, body }) => {
    const mark = marks.read(body);
    return mark === undefined ? [] : [{ ...mark, id, author }];
  });
  return { kind: 'listed', comments: comments.toReversed() };
}

/** Those that the token's own user wrote; `undefined` if GitHub does not say who that is. */
export async function ownAmong(
  comments: readonly MarkedComment[],
  deps: MarkedDeps,
): Promise<readonly MarkedComment[] | undefined> {
  if (comments.length === 0) {
    return [];
  }
  const owner = await readTokenOwner(deps.graphqlUrl, deps);
  return owner === undefined
    ? undefined
    : comments.filter(({ author }) => author.toLowerCase() === owner.toLowerCase());
}

/** The one with most rounds: an old comment, or a copy of it, has fewer. */
export function latestOf(comments: readonly MarkedComment[]): MarkedComment | undefined {
  return comments.toSorted((a, b) => b.count - a.count)[0];
}
