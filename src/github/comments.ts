import { array, fallback, nullable, object, string } from 'valibot';
import { id, parse } from '../text/parse.ts';
import { isSameName } from './names.ts';
import {
  failureOf,
  type GitHubDeps,
  isSuccess,
  mayHaveHappened,
  type Reading,
  type RequestFailure,
  readPages,
  readResponse,
  sendAgain,
} from './request.ts';

/** An issue or a pull request. */
export interface ThreadPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly number: number;
}

/** A comment on an issue or pull request. */
export interface ListedComment {
  readonly id: number;
  /** Login of the author; empty when the account is gone. */
  readonly author: string;
  readonly body: string;
}

const user = object({ login: string() });

const commentsSchema = array(
  object({ id, user: fallback(nullable(user), null), body: fallback(string(), '') }),
);

/**
 * Lists all comments of a thread, oldest first.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listComments(
  { repository, number }: ThreadPlace,
  deps: GitHubDeps,
): Promise<Reading<readonly ListedComment[]>> {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const question = { route, repository, parameters: { issue_number: number } };
  return await readPages(question, deps, (body: unknown) =>
    parse(commentsSchema, body)?.map((comment) => ({
      id: comment.id,
      author: comment.user?.login ?? '',
      body: comment.body,
    })),
  );
}

/** What became of a comment that was to be written. */
export type Written =
  | { readonly kind: 'written'; readonly id: number }
  | ({ readonly kind: 'failed' } & RequestFailure);

/** Longer than a step waits for its comment in the end, so that one limit decides. */
const writeTimeoutMs = 15_000;

const createdSchema = object({ id });

/**
 * Creates a comment, or replaces the text of one. What could create a second comment is sent again only if
 * it never left this machine, or if a rate limit refused it.
 *
 * @param commentId of the comment whose text is replaced; `undefined` for a new one
 * @throws the signal's reason when that is aborted during a delay
 */
export async function writeComment(
  { repository, number }: ThreadPlace,
  commentId: number | undefined,
  body: string,
  deps: GitHubDeps,
): Promise<Written> {
  const isNew = commentId === undefined;
  const response = await sendAgain(
    {
      route: isNew
        ? 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
        : 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
      repository,
      parameters: isNew ? { issue_number: number, body } : { comment_id: commentId, body },
      timeoutMs: writeTimeoutMs,
    },
    deps,
    (each) => !isNew || !mayHaveHappened(each),
  );
  if (!isSuccess(response)) {
    return { kind: 'failed', ...failureOf(response) };
  }
  const written = commentId ?? parse(createdSchema, response.body)?.id;
  return written === undefined
    ? { kind: 'failed', ...failureOf(response) }
    : { kind: 'written', id: written };
}

const viewerSchema = object({ data: object({ viewer: user }) });

/**
 * Reads the login that a token belongs to; `undefined` when GitHub does not return it.
 *
 * GraphQL returns it for every token. REST refuses the token of an app, which the workflow's own
 * token is, but may respond where a proxy blocks GraphQL.
 */
async function readTokenOwner(deps: GitHubDeps): Promise<string | undefined> {
  const { graphqlUrl } = deps.session;
  if (graphqlUrl !== '') {
    const parameters = { query: '{ viewer { login } }' };
    const question = { route: `POST ${graphqlUrl}`, parameters };
    const viewer = await readResponse(question, deps, (body) => parse(viewerSchema, body));
    if (viewer.kind === 'read') {
      return viewer.value.data.viewer.login;
    }
  }
  const reading = await readResponse({ route: 'GET /user' }, deps, (body: unknown) =>
    parse(user, body),
  );
  return reading.kind === 'read' ? reading.value.login : undefined;
}

/** Why nothing can be written where another comment may be ours. */
export const unknownOwner: RequestFailure = {
  problem: 'GitHub does not say which user the token belongs to',
  isRefusal: false,
};

/** The comments that the token's own user wrote; `undefined` if GitHub does not say who that is. */
export async function ownAmong<Comment extends ListedComment>(
  comments: readonly Comment[],
  deps: GitHubDeps,
): Promise<readonly Comment[] | undefined> {
  if (comments.length === 0) {
    return [];
  }
  const owner = await readTokenOwner(deps);
  return owner === undefined
    ? undefined
    : comments.filter(({ author }) => author !== '' && isSameName(author, owner));
}

/**
 * Lists the comments of a thread that are ours: the token's own user wrote them, and `candidateOf` takes them.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listOwnComments<Comment extends ListedComment>(
  place: ThreadPlace,
  candidateOf: (comment: ListedComment) => Comment | undefined,
  deps: GitHubDeps,
): Promise<Reading<readonly Comment[]>> {
  const listing = await listComments(place, deps);
  if (listing.kind === 'unread') {
    return listing;
  }
  const candidates = listing.value.flatMap((comment) => candidateOf(comment) ?? []);
  const own = await ownAmong(candidates, deps);
  return own === undefined ? { kind: 'unread', ...unknownOwner } : { kind: 'read', value: own };
}
