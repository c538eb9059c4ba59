import { isSameName } from './names.ts';
import { type GitHubDeps, type Reading, readPages } from './reading.ts';
import {
  failureOf,
  type GitHubRequest,
  type GitHubResponse,
  isSuccess,
  isTemporary,
  type RequestFailure,
  repositoryParameters,
  sendAgain,
} from './request.ts';
import {
  type ListedComment,
  readCommentId,
  readComments,
  readUser,
  readViewer,
} from './response-schema.ts';

/** An issue or a pull request. */
export interface ThreadPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
}

/** Longer than a step waits for its comment in the end, so that one limit decides. */
const timeoutMs = 15_000;

/**
 * Lists all comments of a thread, oldest first.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listComments(
  { repository, number }: ThreadPlace,
  deps: GitHubDeps,
): Promise<Reading<readonly ListedComment[]>> {
  const parameters = { ...repositoryParameters(repository), issue_number: number };
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  return await readPages(readComments, route, parameters, deps);
}

/** What became of a comment that was to be created. */
export type Created =
  | { readonly kind: 'created'; readonly id: number }
  /** GitHub may have created it all the same: to send it again could make a second one. */
  | ({ readonly kind: 'unconfirmed' } & RequestFailure)
  | ({ readonly kind: 'failed' } & RequestFailure);

/** Creates a comment, by one request. */
export async function createComment(
  { repository, number }: ThreadPlace,
  body: string,
  { session, signal }: Omit<GitHubDeps, 'clock'>,
): Promise<Created> {
  const response = await session.send({
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { ...repositoryParameters(repository), issue_number: number, body },
    timeoutMs,
    signal,
  });
  const id = isSuccess(response) ? readCommentId(response.body) : undefined;
  if (id !== undefined) {
    return { kind: 'created', id };
  }
  const kind = isSuccess(response) || isTemporary(response) ? 'unconfirmed' : 'failed';
  return { kind, ...failureOf(response) };
}

/**
 * Replaces the text of a comment.
 * @returns why that failed
 * @throws the signal's reason when that is aborted during a delay
 */
export async function updateComment(
  { repository }: ThreadPlace,
  id: number,
  body: string,
  { session, clock, signal }: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const request = {
    route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { ...repositoryParameters(repository), comment_id: id, body },
    timeoutMs,
    signal,
  };
  const response = await sendAgain(session, request, clock);
  return isSuccess(response) ? undefined : failureOf(response);
}

/** The client for comments also asks whose the token is. */
export interface CommentDeps extends GitHubDeps {
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
}

/**
 * Reads the login that a token belongs to; `undefined` when GitHub does not return it.
 *
 * GraphQL returns it for every token. REST refuses the token of an app, which the workflow's own
 * token is, but may respond where a proxy blocks GraphQL.
 */
async function readTokenOwner({
  graphqlUrl,
  session,
  clock,
  signal,
}: CommentDeps): Promise<string | undefined> {
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
  deps: CommentDeps,
): Promise<readonly Comment[] | undefined> {
  if (comments.length === 0) {
    return [];
  }
  const owner = await readTokenOwner(deps);
  return owner === undefined
    ? undefined
    : comments.filter(({ author }) => author !== '' && isSameName(author, owner));
}
