import { createHash } from 'node:crypto';
import type { GitHub } from '../../github/client.ts';
import {
  createComment,
  type ListedComment,
  listComments,
  ownAmong,
  unknownOwner,
  updateComment,
} from '../../github/comments.ts';
import type { GitHubDeps, RequestFailure } from '../../github/request.ts';
import { timeLimit } from '../../network/timer.ts';
import type { Runner } from '../../runner/runner.ts';
import { nameOf, type Target } from '../target.ts';

/** The comment is optional, so the step waits no longer for it, all retries included. */
const limitMs = 15_000;

export interface CommentOptions {
  readonly target: Target;
  readonly token: string;
  /** Folder of the docs, which tells the checks of one pull request apart; `undefined` if it is not known. */
  readonly docsRoot: string | undefined;
  /** Whether to write only where an earlier report stands, so that it does not stay. */
  readonly isOnlyUpdate: boolean;
  /** Markdown of at most 65,000 characters, in which everything from outside is escaped. */
  readonly text: string;
}

/**
 * Writes the check's comment on a pull request: one for each folder of docs. A comment counts as ours if it
 * begins with our marker and the token's own user wrote it; no other one is ever changed.
 *
 * @returns why it could not be written, as a sentence; `undefined` if it was written, nothing had to be
 *   written, or the run was cancelled
 */
export async function writeReportComment(
  options: CommentOptions,
  github: GitHub,
  { clock, signal: stopped }: Pick<Runner, 'clock' | 'signal'>,
): Promise<string | undefined> {
  const { target, token } = options;
  const signal = AbortSignal.any([stopped, timeLimit(limitMs)]);
  const deps = { session: github.as(token), clock, signal };
  const failure = await write(options, github.graphqlUrl, deps).catch(
    (error: unknown): RequestFailure => {
      // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
      const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
      return { problem, isRefusal: false };
    },
  );
  if (stopped.aborted || failure === undefined) {
    return undefined;
  }
  const advice = failure.isRefusal
    ? ': give github-token (or docs-token, if that is set) the permission "pull-requests: write", and check that the conversation is not locked'
    : '';
  return `The comment on ${nameOf(target)} could not be written, because ${failure.problem}${advice}.`;
}

/** @returns why that failed */
async function write(
  { target, docsRoot, isOnlyUpdate, text }: CommentOptions,
  graphqlUrl: string,
  deps: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const place = { repository: target.repository, number: target.number };
  const listing = await listComments(place, deps);
  if (listing.kind === 'unread') {
    return listing;
  }
  const candidates = listing.value.filter(({ body }) => marker.test(body));
  const own = await ownAmong(candidates, { ...deps, graphqlUrl });
  if (own === undefined) {
    return unknownOwner;
  }
  const earlier = chooseComment(own, docsRoot);
  if (isOnlyUpdate && earlier === undefined) {
    return undefined;
  }
  const body = `<!-- docs-agent-action check v1 docs=${keyOf(docsRoot)} -->\n${text}`;
  if (earlier !== undefined) {
    return await updateComment(place, earlier.id, body, deps);
  }
  const created = await createComment(place, body, deps);
  return created.kind === 'created' ? undefined : created;
}

/**
 * Chooses the comment of these docs. A run that failed before it found the docs is about the same ones as
 * the others, as long as there is only one comment.
 */
function chooseComment(
  own: readonly ListedComment[],
  docsRoot: string | undefined,
): ListedComment | undefined {
  const withKey = (key: string) => own.find(({ body }) => marker.exec(body)?.[1] === key);
  const isOnly = docsRoot === undefined && own.length === 1;
  return isOnly ? own[0] : (withKey(keyOf(docsRoot)) ?? withKey(keyOf(undefined)));
}

/** Begins like every marker of this action, so that the comment never starts a job. */
const marker = /^<!-- docs-agent-action check v1 docs=([\da-f]{12}) -->/;

/** No folder is called `*`. */
function keyOf(docsRoot = '*'): string {
  return createHash('sha256').update(docsRoot).digest('hex').slice(0, 12);
}
