import type { ThreadPlace } from './comments.ts';
import type { GitHubDeps, Reading } from './reading.ts';
import {
  failureOf,
  type GitHubRequest,
  isSuccess,
  repositoryParameters,
  sendAgain,
} from './request.ts';
import type { PullRequestDetails } from './response-schema.ts';
import { readFileNames, readPull, readPullState } from './response-schema.ts';

/** A pull request, with the fields that reports show. */
export interface PullRequest extends PullRequestDetails {
  /** The names of its first files. */
  readonly files: readonly string[];
}

/** How many files a report names. */
export const shownFiles = 10;

/** The details are optional, so the step does not wait longer for them. */
const timeoutMs = 3000;

/**
 * Reads a pull request: "Get a pull request" and "List pull requests files".
 * @throws the signal's reason when that is aborted during a delay
 */
export async function readPullRequest(
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Reading<PullRequest>> {
  const [response, files] = await Promise.all([
    sendAgain(deps.session, getRequest(place, deps.signal), deps.clock),
    readFiles(place, deps),
  ]);
  if (!isSuccess(response)) {
    return { kind: 'unread', ...failureOf(response) };
  }
  const details = readPull(response.body);
  return details === undefined
    ? { kind: 'unread', problem: "GitHub's response is not a pull request", isRefusal: false }
    : { kind: 'read', value: { ...details, files } };
}

/** The names of the first files; none if GitHub does not return them at the first attempt. */
async function readFiles(
  place: ThreadPlace,
  { session, signal }: Omit<GitHubDeps, 'clock'>,
): Promise<readonly string[]> {
  const { route, parameters } = getRequest(place, signal);
  const response = await session.send({
    route: `${route}/files`,
    parameters: { ...parameters, per_page: shownFiles },
    timeoutMs,
    signal,
  });
  return (isSuccess(response) ? readFileNames(response.body) : undefined) ?? [];
}

/** Reads the state of a pull request, with one attempt; `undefined` when GitHub does not return it. */
export async function readPullRequestState(
  place: ThreadPlace,
  { session, signal }: Omit<GitHubDeps, 'clock'>,
): Promise<'open' | 'closed' | undefined> {
  const response = await session.send(getRequest(place, signal));
  return isSuccess(response) ? readPullState(response.body) : undefined;
}

function getRequest({ repository, number }: ThreadPlace, signal: AbortSignal): GitHubRequest {
  return {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repositoryParameters(repository), pull_number: number },
    timeoutMs,
    signal,
  };
}
