import type { EarlierPullRequest, EarlierPullRequests } from '../../github/own-comment.ts';
import { readPullRequestState } from '../../github/pull-request.ts';
import type { Session } from '../../github/request.ts';
import {
  asSeenFrom,
  type FoundLink,
  readPullRequestLink,
} from '../../platform/pull-request-link.ts';
import { pullRequestLink } from './pull-request.ts';

interface EarlierDeps {
  /** `undefined` without a token. */
  readonly session: Session | undefined;
  /** The only server that requests go to, as in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** Aborts the requests; pull requests without a response then have no known state. */
  readonly signal: AbortSignal;
}

/**
 * Keeps the pull requests of earlier jobs in a comment that is now about another job, until they are
 * closed. If the state of one cannot be read, or it is on another server, it is listed without a state.
 */
export function createEarlier(deps: EarlierDeps): EarlierPullRequests {
  return {
    async review(links) {
      const found = links
        .map(readPullRequestLink)
        .filter((link) => link.kind === 'link')
        .map((link) => asSeenFrom(deps.serverUrl, link));
      const reviewed = await Promise.all(found.map((link) => review(link, deps)));
      return reviewed.filter((pull) => pull !== undefined);
    },
    describe: (pulls) =>
      pulls.length === 0
        ? ''
        : `**From earlier runs:** ${pulls.map((pull) => describe(pull, deps)).join(', ')}`,
  };
}

/** `undefined` if the pull request is closed. */
async function review(
  { url, github }: FoundLink,
  { session, signal }: EarlierDeps,
): Promise<EarlierPullRequest | undefined> {
  const state =
    github === undefined || session === undefined
      ? undefined
      : await readPullRequestState(github, { session, signal }).catch(() => undefined);
  return state === 'closed' ? undefined : { link: url, isOpen: state === 'open' };
}

function describe({ link, isOpen }: EarlierPullRequest, { serverUrl }: EarlierDeps): string {
  const found = readPullRequestLink(link);
  const shown = found.kind === 'link' ? pullRequestLink(asSeenFrom(serverUrl, found)) : '';
  return isOpen ? `${shown} (still open)` : shown;
}
