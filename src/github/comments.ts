import { array, fallback, nullable, object, pipe, string, transform } from 'valibot';
import { id, parse } from '../text/parse.ts';
import { isSameName, ownerAndRepo, type ThreadPlace } from './names.ts';
import {
  ask,
  askPages,
  type GitHubDeps,
  type Outcome,
  queryGraphql,
  type RequestFailure,
} from './request.ts';

const author = object({ login: string(), type: fallback(string(), '') });

/** GitHub's words for people who belong to a repository, and can do more there than everybody. */
const insiders = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** A comment on an issue or pull request, without its text. */
export interface ListedComment {
  readonly id: number;
  /** The author's login; empty if the account is gone. */
  readonly author: string;
  /**
   * Whether the author belongs to the repository. An App always does, because an App can comment only where somebody
   * installed it. A private member of an organisation may count as a stranger, because GitHub may hide the membership.
   */
  readonly isInsider: boolean;
}

const bodySchema = object({ body: fallback(string(), '') });

const commentsSchema = array(
  pipe(
    object({
      id,
      user: fallback(nullable(author), null),
      author_association: fallback(string(), ''),
      ...bodySchema.entries,
    }),
    transform(({ id, user, author_association, body }) => ({
      body,
      comment: {
        id,
        author: user?.login ?? '',
        isInsider: user?.type === 'Bot' || insiders.includes(author_association),
      },
    })),
  ),
);

/**
 * Lists what `read` finds in the comments of a thread, oldest first. The text of a comment is dropped once it is
 * read, because a thread can have thousands of comments of 64 kB each.
 *
 * @param read must return no part of the text, because V8 would keep the whole text in memory with that part
 */
export async function listComments<Item>(
  { repository, number }: ThreadPlace,
  read: (text: string, comment: ListedComment) => Item | undefined,
  deps: GitHubDeps,
): Promise<Outcome<readonly Item[]>> {
  const thread = { ...ownerAndRepo(repository), issue_number: number };
  const listing = await askPages(
    deps,
    ({ rest }, page) => rest.issues.listComments({ ...thread, ...page }),
    // The `undefined`s are kept here, because `askPages` takes a short page for the last one.
    (comments: unknown) =>
      parse(commentsSchema, comments)?.map(({ body, comment }) => read(body, comment)),
  );
  return listing.kind === 'failed'
    ? listing
    : { kind: 'ok', value: listing.value.filter((item) => item !== undefined) };
}

/** Longer than a step waits for its comment in the end, so that only that limit decides. */
const timeoutMs = 15_000;

const createdSchema = object({ id });

/**
 * Creates a comment, or replaces the text of a comment. A request that creates a comment is sent again only if
 * it never left this machine, or if a rate limit refused it, so that there are never two comments.
 *
 * @param commentId the id of the comment whose text is replaced; `undefined` for a new comment
 * @returns the comment's id
 */
export async function writeComment(
  { repository, number }: ThreadPlace,
  commentId: number | undefined,
  body: string,
  deps: GitHubDeps,
): Promise<Outcome<number>> {
  const comment = { ...ownerAndRepo(repository), body };
  return commentId === undefined
    ? await ask(
        deps,
        ({ rest }) => rest.issues.createComment({ ...comment, issue_number: number }),
        (created: unknown) => parse(createdSchema, created)?.id,
        { timeoutMs, isOnce: true },
      )
    : await ask(
        deps,
        ({ rest }) => rest.issues.updateComment({ ...comment, comment_id: commentId }),
        () => commentId,
        { timeoutMs },
      );
}

const viewerSchema = object({ viewer: object({ login: string() }) });

/**
 * The failure if nobody knows which comments are ours. Then nothing may be written, because that could create a second
 * comment, or change somebody else's.
 */
export const unknownOwner: RequestFailure = {
  problem: 'GitHub does not say which user the token belongs to',
  isRefusal: false,
};

/**
 * Selects the comments that the token's own user wrote; `undefined` if GitHub does not say who that is. Only GraphQL
 * says so for every token: REST refuses the token of an App, which the workflow's own token is.
 */
export async function ownAmong<Comment extends ListedComment>(
  comments: readonly Comment[],
  deps: GitHubDeps,
): Promise<readonly Comment[] | undefined> {
  if (comments.length === 0) {
    return [];
  }
  const owner = await ask(
    deps,
    (octokit) => queryGraphql(octokit, '{ viewer { login } }'),
    (data) => parse(viewerSchema, data)?.viewer.login,
  );
  return owner.kind === 'failed'
    ? undefined
    : comments.filter(({ author }) => author !== '' && isSameName(author, owner.value));
}

/** Lists the comments of a thread that the token's own user wrote and that `candidateOf` accepts. */
export async function listOwnComments<Comment extends ListedComment>(
  place: ThreadPlace,
  candidateOf: (text: string, comment: ListedComment) => Comment | undefined,
  deps: GitHubDeps,
): Promise<Outcome<readonly Comment[]>> {
  const listing = await listComments(place, candidateOf, deps);
  if (listing.kind === 'failed') {
    return listing;
  }
  const own = await ownAmong(listing.value, deps);
  return own === undefined ? { kind: 'failed', ...unknownOwner } : { kind: 'ok', value: own };
}

/** Reads the text of one comment of a thread. */
export async function readComment(
  { repository }: ThreadPlace,
  commentId: number,
  deps: GitHubDeps,
): Promise<Outcome<string>> {
  const comment = { ...ownerAndRepo(repository), comment_id: commentId };
  return await ask(
    deps,
    ({ rest }) => rest.issues.getComment(comment),
    (read: unknown) => parse(bodySchema, read)?.body,
  );
}
