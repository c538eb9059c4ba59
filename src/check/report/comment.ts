import type { GitHub } from '../../github/client.ts';
import { listOwnComments, writeComment } from '../../github/comments.ts';
import { commentFailure, type RepositoryToken } from '../../github/errors.ts';
import type { ThreadPlace } from '../../github/names.ts';
import { failureOfError, type GitHubDeps, type RequestFailure } from '../../github/request.ts';
import { timeLimit } from '../../network/timer.ts';
import type { Runner } from '../../runner/runner.ts';
import { sha256 } from '../../text/sha256.ts';
import type { CheckInputs } from '../inputs.ts';

/** The comment is optional, so the step waits no longer for it, all retries included. */
const limitMs = 15_000;

/** `docsRoot` tells the comments of several checks of one pull request apart. */
interface CommentOptions extends Pick<CheckInputs, 'docsRoot'> {
  readonly token: RepositoryToken;
  readonly target: ThreadPlace;
  /** Whether to replace an earlier report, and to write nothing if there is none. */
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
  const signal = AbortSignal.any([stopped, timeLimit(limitMs)]);
  const deps = { session: github.as(options.token.value), clock, signal };
  const failure = await write(options, deps).catch((error: unknown) =>
    failureOfError(error, signal),
  );
  if (stopped.aborted || failure === undefined) {
    return undefined;
  }
  const { token, target } = options;
  return commentFailure(failure, 'the permission "pull-requests: write"', token, target);
}

/** @returns why that failed */
async function write(
  { target, docsRoot, isOnlyUpdate, text }: CommentOptions,
  deps: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const marker = markerOf(docsRoot);
  const own = await listOwnComments(
    target,
    (body, comment) => (body.startsWith(marker) ? comment : undefined),
    deps,
  );
  if (own.kind === 'failed') {
    return own;
  }
  const [earlier] = own.value;
  if (isOnlyUpdate && earlier === undefined) {
    return undefined;
  }
  const written = await writeComment(target, earlier?.id, `${marker}\n${text}`, deps);
  return written.kind === 'ok' ? undefined : written;
}

/**
 * Begins like every marker of this action, so that the comment never starts a job. Has a hash, because the name of
 * a folder could end the marker. No folder is called `*`.
 */
function markerOf(docsRoot = '*'): string {
  const key = sha256(docsRoot, 12);
  return `<!-- docs-agent-action check v1 docs=${key} -->`;
}
