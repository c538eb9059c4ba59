import type { SearchDeps, SignedComment } from './comment-search.ts';
import type { Marker } from './marker.ts';
import {
  failureOf,
  type GitHubResponse,
  isSuccess,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';

/** The outcome of writing the comment. */
export type Written = { readonly kind: 'written' } | ({ readonly kind: 'failed' } & RequestFailure);

/** A pull request of an earlier job that the comment named. */
export interface EarlierPullRequest {
  readonly link: string;
  /** False if its state is not known. */
  readonly isOpen: boolean;
}

/** Keeps the pull requests of earlier jobs in a comment that is now about another job. */
export interface EarlierPullRequests {
  /** Leaves out those that are closed. Never throws. */
  review(links: readonly string[]): Promise<readonly EarlierPullRequest[]>;
  /** One line of Markdown; empty for none. */
  describe(pulls: readonly EarlierPullRequest[]): string;
}

export interface CommentDeps extends SearchDeps {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  readonly earlier: EarlierPullRequests;
}

/** A comment is not an archive. */
const mostEarlier = 5;
const mostRecords = 20;

const timeoutMs = 10_000;

/** The comment that this run updates. */
export interface OwnComment {
  readonly id: number;
  /** The key that it was created with, so that its own step finds it next time. */
  readonly key: string;
  /** The link of this job that the comment has. */
  readonly link: string;
  readonly earlier: readonly EarlierPullRequest[];
  /** The records that the comment has, of all runs. */
  readonly records: readonly string[];
}

/** What remains of a comment that this run takes over; our report replaces that of another job. */
export async function takeOver(
  { id, marker }: SignedComment,
  { jobId }: Marker,
  { earlier }: CommentDeps,
): Promise<OwnComment> {
  const isSameJob = marker.jobId === jobId;
  const links = isSameJob ? marker.earlier : [marker.link, ...marker.earlier];
  const kept = [...new Set(links)].filter((link) => link !== '').slice(0, mostEarlier);
  return {
    id,
    key: marker.key,
    link: isSameJob ? marker.link : '',
    earlier: kept.length === 0 ? [] : await earlier.review(kept),
    records: marker.records,
  };
}

/** Creates the comment, without knowing what GitHub makes of that. */
export function post(text: string, marker: Marker, deps: CommentDeps): Promise<GitHubResponse> {
  const { session, place, signer, signal } = deps;
  return session.send({
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: {
      ...repositoryParameters(place.repository),
      issue_number: place.threadNumber,
      body: `${text}\n${signer.write(marker, place)}\n`,
    },
    timeoutMs,
    signal,
  });
}

/** Changes the comment, whatever it said before. */
export async function update(
  own: OwnComment,
  text: string,
  marker: Marker,
  { session, place, signer, clock, signal, earlier }: CommentDeps,
): Promise<Written> {
  const link = marker.link || own.link;
  const pulls = own.earlier.filter((pull) => pull.link !== link);
  const line = earlier.describe(pulls);
  const records = [...new Set([...marker.records, ...own.records])].slice(0, mostRecords);
  const signed = {
    ...marker,
    key: own.key,
    link,
    earlier: pulls.map((pull) => pull.link),
    records,
  };
  const request = {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: {
      ...repositoryParameters(place.repository),
      comment_id: own.id,
      body: `${text}\n${line === '' ? '' : `${line}\n\n`}${signer.write(signed, place)}\n`,
    },
    timeoutMs,
    signal,
  };
  const response = await sendAgain(session, request, clock);
  return isSuccess(response) ? { kind: 'written' } : await failed(response);
}

export async function failed(
  response: GitHubResponse,
): Promise<{ readonly kind: 'failed' } & RequestFailure> {
  return { kind: 'failed', ...failureOf(response) };
}
