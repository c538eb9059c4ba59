import { openPullRequestError } from '../../github/errors.ts';
import { listLabelled } from '../../github/labels.ts';
import type { ActionError } from '../../text/error.ts';
import { type ProveDeps, type ProvenPullRequest, provePullRequest, unreadable } from './prove.ts';

/** What a search among the labelled pull requests found. */
export interface Search {
  readonly found: ProvenPullRequest | undefined;
  /** The open pull requests with the label that are not provably a job's, newest first. */
  readonly passedOver: readonly number[];
}

/** Each costs a request. People label some by hand, but not dozens. */
const mostPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @param closed numbers of those that are known not to be open any more
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findLabelled(
  repository: string,
  label: string,
  closed: ReadonlySet<number>,
  deps: ProveDeps,
): Promise<Search> {
  const listing = await listLabelled(repository, label, deps);
  if (listing.kind === 'unread') {
    throw unreadable(listing, `the open pull requests of ${repository}`, repository, deps);
  }
  const pulls = listing.value.filter(({ number }) => !closed.has(number));
  const passedOver: number[] = [];
  let doubt: ActionError | undefined;
  for (const { number, url } of pulls.slice(0, mostPullRequests)) {
    const place = { repository, threadNumber: number };
    const proof = await provePullRequest(place, url, deps);
    if (proof?.kind === 'proven') {
      return { found: proof.found, passedOver };
    }
    doubt ??= proof?.error;
    passedOver.push(number);
  }
  if (pulls.length > mostPullRequests) {
    throw openPullRequestError(
      `${repository} has ${pulls.length} open pull requests with the label "${label}", and none of the newest ${mostPullRequests} is known to be a job's`,
      'give pr-label a label that only the docs agent uses',
    );
  }
  if (doubt !== undefined) {
    throw doubt;
  }
  return { found: undefined, passedOver };
}
