import type { MarkerPlace } from './marker.ts';
import type { Comparison, PullHead } from './pull-request-schema.ts';
import type { GitHubDeps } from './reading.ts';
import { type Reading, readPages, readWith } from './reading.ts';
import { repositoryParameters } from './request.ts';

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
  deps: GitHubDeps,
): Promise<readonly string[] | undefined> {
  const { readFileNames } = await import('./response-schema.ts');
  const parameters = { ...repositoryParameters(repository), pull_number: threadNumber };
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
  const reading = await readPages(readFileNames, route, parameters, deps, mostPages);
  return reading.kind === 'read' ? reading.value : undefined;
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
