import type { GitHubDeps } from './comment-list.ts';
import type { MarkerPlace } from './marker.ts';
import type { Comparison, PullHead } from './pull-request-schema.ts';
import { type Reading, readWith } from './reading.ts';
import { isSuccess, repositoryParameters, sendAgain } from './request.ts';

const timeoutMs = 10_000;
const pageSize = 100;

/** More files than that are not compared, so that a huge pull request does not cost 30 requests. */
const mostPages = 3;

/** Reads the state of a pull request, of which its last commit matters most. */
export async function readPullHead(
  { repository, threadNumber }: MarkerPlace,
  deps: GitHubDeps,
): Promise<Reading<PullHead>> {
  const { readPullHead: read } = await import('./pull-request-schema.ts');
  const parameters = { ...repositoryParameters(repository), pull_number: threadNumber };
  return await readWith(read, 'GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters, deps);
}

/** Lists the names of all files of a pull request; `undefined` if there are too many, or on failure. */
export async function listChangedFiles(
  { repository, threadNumber }: MarkerPlace,
  { session, clock, signal }: GitHubDeps,
): Promise<readonly string[] | undefined> {
  const { readFileNames } = await import('./response-schema.ts');
  const names: string[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const request = {
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
      parameters: {
        ...repositoryParameters(repository),
        pull_number: threadNumber,
        per_page: pageSize,
        page,
      },
      timeoutMs,
      signal,
    };
    const response = await sendAgain(session, request, clock);
    if (!isSuccess(response)) {
      return undefined;
    }
    const listed = readFileNames(response.body);
    names.push(...listed);
    if (listed.length < pageSize) {
      return names;
    }
  }
  return undefined;
}

/** Compares two commits of a repository: what `after` has that `before` has not. */
export async function compareCommits(
  repository: string,
  { before, after }: { readonly before: string; readonly after: string },
  deps: GitHubDeps,
): Promise<Reading<Comparison>> {
  const { readCommitComparison } = await import('./pull-request-schema.ts');
  const parameters = { ...repositoryParameters(repository), basehead: `${before}...${after}` };
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  return await readWith(readCommitComparison, route, parameters, deps);
}
