import type { RetryClock } from '../network/retry.ts';
import type { MarkerPlace } from './marker.ts';
import {
  type GitHubResponse,
  isSuccess,
  repositoryParameters,
  type Session,
  sendAgain,
} from './request.ts';
import type { ListedComment } from './response-schema.ts';

/** All comments of a thread, oldest first. */
export type CommentListing =
  | { readonly kind: 'listed'; readonly comments: readonly ListedComment[] }
  | { readonly kind: 'failed'; readonly response: GitHubResponse };

/** What requests to GitHub need. */
export interface GitHubDeps {
  readonly session: Session;
  readonly clock: RetryClock;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;
const pageSize = 100;

/** @throws the signal's reason when that is aborted during a delay */
export async function listComments(place: MarkerPlace, deps: GitHubDeps): Promise<CommentListing> {
  const { readComments } = await import('./response-schema.ts');
  const comments: ListedComment[] = [];
  for (let page = 1; ; page += 1) {
    const response = await listPage(page, place, deps);
    const listed = isSuccess(response) ? readComments(response.body) : undefined;
    if (listed === undefined) {
      return { kind: 'failed', response };
    }
    comments.push(...listed);
    if (listed.length < pageSize) {
      return { kind: 'listed', comments };
    }
  }
}

function listPage(
  page: number,
  { repository, threadNumber }: MarkerPlace,
  { session, clock, signal }: GitHubDeps,
): Promise<GitHubResponse> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...repositoryParameters(repository),
      issue_number: threadNumber,
      per_page: pageSize,
      page,
    },
    timeoutMs,
    signal,
  };
  return sendAgain(session, request, clock);
}
