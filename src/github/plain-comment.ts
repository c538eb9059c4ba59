import type { MarkerPlace } from './marker.ts';
import type { GitHubDeps } from './reading.ts';
import {
  failureOf,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';

const timeoutMs = 10_000;

/**
 * Writes a comment: creates it, or replaces the text of an earlier one. One that GitHub did not confirm
 * is not created again, because two would be worse than none.
 *
 * @param id of the earlier comment; `undefined` for a new one
 * @returns why that failed
 */
export async function writeComment(
  { repository, threadNumber }: MarkerPlace,
  id: number | undefined,
  body: string,
  { session, clock, signal }: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const parameters = { ...repositoryParameters(repository), body };
  const response =
    id === undefined
      ? await session.send({
          route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
          parameters: { ...parameters, issue_number: threadNumber },
          timeoutMs,
          signal,
        })
      : await sendAgain(
          session,
          {
            route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
            parameters: { ...parameters, comment_id: id },
            timeoutMs,
            signal,
          },
          clock,
        );
  return isSuccess(response) ? undefined : failureOf(response);
}
