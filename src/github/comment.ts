import {
  chooseComment,
  readTokenOwner,
  type SearchDeps,
  type SignedComment,
  searchComments,
} from './comment-search.ts';
import type { Marker } from './marker.ts';
import {
  failureOf,
  type GitHubResponse,
  isSuccess,
  isTemporary,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';

/** The outcome of writing the comment. */
export type Written = { readonly kind: 'written' } | ({ readonly kind: 'failed' } & RequestFailure);

/** The content of the comment. */
export interface Content {
  /** Markdown; the line about earlier pull requests and the marker are added later. */
  readonly text: string;
  /** Empty while the comment is about no job. */
  readonly jobId: string;
  /** Of the job's pull request; empty while there is none. */
  readonly link: string;
  /** What a re-run needs to know, as one word; empty for nothing. It begins with the run's id. */
  readonly record: string;
}

/** The records that earlier attempts left in comments of a thread. */
export type RecordSearch =
  | {
      readonly kind: 'found';
      readonly records: readonly string[];
      /** Whether a comment claims to be this step's, and its signature is not ours. */
      readonly hasForged: boolean;
    }
  | ({ readonly kind: 'failed' } & RequestFailure);

/** The one comment of a step on an issue or pull request. */
export interface CommentKeeper {
  /** Updates the comment, or creates it. */
  write(content: Content): Promise<Written>;
  /** Finds the records of all runs of this step in the thread. */
  findRecords(signal: AbortSignal): Promise<RecordSearch>;
}

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

interface CommentDeps extends SearchDeps {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  readonly earlier: EarlierPullRequests;
}

/** A comment is not an archive. */
const mostEarlier = 5;
const mostRecords = 5;

const timeoutMs = 10_000;

/** GitHub may need a moment to list a comment whose creation got no response. */
const settleMs = 1000;

/** The comment that this run updates. */
interface OwnComment {
  readonly id: number;
  /** The key that it was created with, so that its own step finds it next time. */
  readonly key: string;
  /** The link of this job that the comment has. */
  readonly link: string;
  readonly earlier: readonly EarlierPullRequest[];
  /** The records that the comment has, of all runs. */
  readonly records: readonly string[];
}

/** GitHub did not confirm the creation: the comment may exist or not. */
interface Unconfirmed {
  readonly kind: 'unconfirmed';
  readonly response: GitHubResponse;
}

export function createCommentKeeper(deps: CommentDeps): CommentKeeper {
  let own: OwnComment | undefined;
  let tokenOwner: Promise<string | undefined> | undefined;
  let wasUnconfirmed = false;

  const create = async (text: string, marker: Marker): Promise<Written | Unconfirmed> => {
    const response = await post(text, marker, deps);
    const { readCommentId } = await import('./response-schema.ts');
    const id = isSuccess(response) ? readCommentId(response.body) : undefined;
    if (id !== undefined) {
      own = { id, key: marker.key, link: marker.link, earlier: [], records: marker.records };
      return { kind: 'written' };
    }
    wasUnconfirmed = isSuccess(response) || isTemporary(response);
    return wasUnconfirmed ? { kind: 'unconfirmed', response } : await failed(response);
  };

  const updateOrCreate = async (text: string, marker: Marker): Promise<Written | Unconfirmed> => {
    tokenOwner ??= readTokenOwner(deps.graphqlUrl, deps).catch(() => undefined);
    const search = await searchComments(deps, tokenOwner);
    if (search.kind === 'failed') {
      return await failed(search.response);
    }
    const chosen = chooseComment(search.comments, marker);
    if (chosen !== undefined) {
      own = await takeOver(chosen, marker, deps);
      return await update(own, text, marker, deps);
    }
    return wasUnconfirmed && search.comments.some((comment) => isSame(comment, marker))
      ? {
          kind: 'failed',
          problem: 'GitHub does not say which user github-token belongs to',
          isRefusal: false,
        }
      : await create(text, marker);
  };

  return {
    async write({ text, jobId, link, record }) {
      const { key, run } = deps;
      const records = record === '' ? [] : [record];
      const marker = { key, jobId, run, link, earlier: [], records };
      if (own !== undefined) {
        return await update(own, text, marker, deps);
      }
      const first = await updateOrCreate(text, marker);
      if (first.kind !== 'unconfirmed') {
        return first;
      }
      // The comment may exist all the same: search for it before another one is created.
      await deps.clock.sleep(settleMs, deps.signal);
      const second = await updateOrCreate(text, marker);
      return second.kind === 'unconfirmed' ? await failed(second.response) : second;
    },
    async findRecords(signal) {
      const both = AbortSignal.any([signal, deps.signal]);
      const search = await searchComments({ ...deps, signal: both }, Promise.resolve(undefined));
      if (search.kind === 'failed') {
        return await failed(search.response);
      }
      const own = search.comments.filter(({ marker }) => marker.key === deps.key);
      const records = own.flatMap(({ marker }) => marker.records);
      return { kind: 'found', records, hasForged: search.hasForged };
    },
  };
}

/** What remains of a comment that this run takes over; our report replaces that of another job. */
async function takeOver(
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

function isSame({ marker }: SignedComment, { key, jobId, run }: Marker): boolean {
  return marker.key === key && marker.jobId === jobId && marker.run === run;
}

function post(text: string, marker: Marker, deps: CommentDeps): Promise<GitHubResponse> {
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

async function update(
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

async function failed(
  response: GitHubResponse,
): Promise<{ readonly kind: 'failed' } & RequestFailure> {
  return { kind: 'failed', ...(await failureOf(response)) };
}
