import { listComments } from './comment-list.ts';
import { claimsKey, type Marker, type MarkerPlace, type MarkerSigner } from './marker.ts';
import { isSameName } from './names.ts';
import type { GitHubDeps } from './reading.ts';
import {
  type GitHubRequest,
  type GitHubResponse,
  isSuccess,
  type RequestFailure,
  sendAgain,
} from './request.ts';
import type { ListedComment } from './response-schema.ts';

/** A comment whose marker this API key signed for this place. */
export interface SignedComment {
  readonly id: number;
  readonly marker: Marker;
  /** Whether our own token wrote it; no other comment is ever changed. */
  readonly isOwn: boolean;
}

/** The outcome of a search through all comments. */
type Search =
  | {
      readonly kind: 'found';
      /** Oldest first. */
      readonly comments: readonly SignedComment[];
      /** Whether a marker with this step's key did not verify. */
      readonly hasForged: boolean;
    }
  | ({ readonly kind: 'unread' } & RequestFailure);

export interface SearchDeps extends GitHubDeps {
  readonly signer: MarkerSigner;
  readonly place: MarkerPlace;
  /** The key of this step's comment. */
  readonly key: string;
}

const timeoutMs = 10_000;

/**
 * Searches all comments of a thread for markers that verify.
 * @param tokenOwner login of our own comments' author; if it is `undefined`, none counts as ours
 */
export async function searchComments(
  deps: SearchDeps,
  tokenOwner: Promise<string | undefined>,
): Promise<Search> {
  const listing = await listComments(deps.place, deps);
  return listing.kind === 'unread' ? listing : verify(listing.value, await tokenOwner, deps);
}

function verify(
  listed: readonly ListedComment[],
  tokenOwner: string | undefined,
  { signer, place, key }: SearchDeps,
): Search {
  const comments: SignedComment[] = [];
  let hasForged = false;
  for (const { id, author, body } of listed) {
    const marker = signer.read(body, place);
    if (marker === undefined) {
      hasForged ||= claimsKey(body, key);
    } else {
      const isOwn = author !== '' && isSameName(author, tokenOwner);
      comments.push({ id, marker, isOwn });
    }
  }
  return { kind: 'found', comments, hasForged };
}

/**
 * Chooses the comment to update: the one about this very job, else the last one of this step.
 *
 * Two calls of one reusable workflow share workflow, job and step, so a comment that this same run
 * wrote about another job belongs to the other call.
 */
export function chooseComment(
  comments: readonly SignedComment[],
  wanted: Marker,
): SignedComment | undefined {
  const own = comments.filter(({ isOwn }) => isOwn);
  const isOfAnotherCall = ({ run, jobId }: Marker): boolean =>
    run === wanted.run && jobId !== wanted.jobId;
  return (
    own.findLast(({ marker }) => wanted.jobId !== '' && marker.jobId === wanted.jobId) ??
    own.findLast(({ marker }) => marker.key === wanted.key && !isOfAnotherCall(marker))
  );
}

/**
 * Reads the login that a token belongs to; `undefined` when GitHub does not return it.
 *
 * GraphQL returns it for every token. REST refuses the token of an app, which the workflow's own
 * token is, but may respond where a proxy blocks GraphQL.
 *
 * @param graphqlUrl address for GraphQL queries; empty for none
 */
export async function readTokenOwner(
  graphqlUrl: string,
  { session, clock, signal }: GitHubDeps,
): Promise<string | undefined> {
  const { readUser, readViewer } = await import('./response-schema.ts');
  const send = (route: string, parameters?: GitHubRequest['parameters']): Promise<GitHubResponse> =>
    sendAgain(session, { route, ...(parameters && { parameters }), timeoutMs, signal }, clock);
  if (graphqlUrl !== '') {
    const response = await send(`POST ${graphqlUrl}`, { query: '{ viewer { login } }' });
    const login = isSuccess(response) ? readViewer(response.body) : undefined;
    if (login !== undefined) {
      return login;
    }
  }
  const response = await send('GET /user');
  return isSuccess(response) ? readUser(response.body) : undefined;
}

/** Why nothing can be written where another comment may be ours. */
export const unknownOwner: RequestFailure = {
  problem: 'GitHub does not say which user the token belongs to',
  isRefusal: false,
};

/** The comments that the token's own user wrote; `undefined` if GitHub does not say who that is. */
export async function ownAmong<Comment extends ListedComment>(
  comments: readonly Comment[],
  deps: GitHubDeps & { readonly graphqlUrl: string },
): Promise<readonly Comment[] | undefined> {
  if (comments.length === 0) {
    return [];
  }
  const owner = await readTokenOwner(deps.graphqlUrl, deps);
  return owner === undefined
    ? undefined
    : comments.filter(({ author }) => isSameName(author, owner));
}
