import type { MarkerPlace } from './marker.ts';
import { type GitHubDeps, type Reading, readPages } from './reading.ts';
import { repositoryParameters } from './request.ts';
import type { ListedComment } from './response-schema.ts';

/**
 * Lists all comments of a thread, oldest first.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listComments(
  { repository, threadNumber }: MarkerPlace,
  deps: GitHubDeps,
): Promise<Reading<readonly ListedComment[]>> {
  const { readComments } = await import('./response-schema.ts');
  const parameters = { ...repositoryParameters(repository), issue_number: threadNumber };
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  return await readPages(readComments, route, parameters, deps);
}
