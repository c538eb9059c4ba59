import type { GitHubDeps } from './comment-list.ts';
import type { MarkerPlace } from './marker.ts';
import type { LabelledPull } from './pull-request-schema.ts';
import {
  failureOf,
  type GitHubResponse,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';

/** The open pull requests with a label, newest first. */
export type LabelledListing =
  | { readonly kind: 'listed'; readonly pulls: readonly LabelledPull[] }
  | ({ readonly kind: 'failed' } & RequestFailure);

const timeoutMs = 10_000;

/** The most that GitHub returns at once. */
const pageSize = 100;

/** More open issues with the label of the agent's pull requests are a mistake in the workflow. */
const mostPages = 10;

/**
 * Lists the open pull requests with a label, usually by one request. GitHub has no such list of pull
 * requests alone; theirs is the list of issues, which are told apart here.
 *
 * @param label percent-encoded as a whole, so only a comma has a meaning in it: it would separate two
 *   labels, even if it is encoded
 */
export async function listLabelled(
  repository: string,
  label: string,
  deps: GitHubDeps,
): Promise<LabelledListing> {
  const { readLabelled } = await import('./pull-request-schema.ts');
  const pulls: LabelledPull[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const response = await listPage(page, repository, label, deps);
    const listed = isSuccess(response) ? readLabelled(response.body) : undefined;
    if (listed === undefined) {
      return { kind: 'failed', ...(await failureOf(response)) };
    }
    pulls.push(...listed.pulls);
    if (listed.count < pageSize) {
      return { kind: 'listed', pulls };
    }
  }
  return {
    kind: 'failed',
    problem: `more than ${mostPages * pageSize} open issues have the label`,
    isRefusal: false,
  };
}

function listPage(
  page: number,
  repository: string,
  label: string,
  { session, clock, signal }: GitHubDeps,
): Promise<GitHubResponse> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/issues',
    parameters: {
      ...repositoryParameters(repository),
      labels: label,
      state: 'open',
      sort: 'created',
      direction: 'desc',
      per_page: pageSize,
      page,
    },
    timeoutMs,
    signal,
  };
  return sendAgain(session, request, clock);
}

/**
 * Puts a label on a pull request, and makes it where the repository has none of that name.
 * @returns why that failed
 */
export async function putLabel(
  { repository, threadNumber }: MarkerPlace,
  label: string,
  { session, clock, signal }: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const send = (route: string, parameters: Parameters<typeof sendAgain>[1]['parameters']) => {
    const all = { ...repositoryParameters(repository), ...parameters };
    return sendAgain(session, { route, parameters: all, timeoutMs, signal }, clock);
  };
  const found = await send('GET /repos/{owner}/{repo}/labels/{name}', { name: label });
  if (hasStatus(found, 404)) {
    const made = await send('POST /repos/{owner}/{repo}/labels', { name: label, ...look });
    // Another step may have made it in between, which GitHub answers with 422.
    if (!isSuccess(made) && !hasStatus(made, 422)) {
      return await failureOf(made);
    }
  }
  const put = await send('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    issue_number: threadNumber,
    labels: [label],
  });
  return isSuccess(put) ? undefined : await failureOf(put);
}

/** The blue that GitHub's own label "documentation" has. */
const look = {
  color: '0075ca',
  description: 'A pull request of the docs agent; the next run finds it by this label',
};

function hasStatus(response: GitHubResponse, status: number): boolean {
  return response.kind === 'response' && response.status === status;
}
