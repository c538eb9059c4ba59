import { createHash } from 'node:crypto';
import type { GitHub } from '../../github/client.ts';
import { listComments } from '../../github/comment-list.ts';
import { ownAmong, unknownOwner } from '../../github/comment-search.ts';
import {
  hasMark,
  hasSection,
  hasSections,
  putSection,
  sectionKeys,
} from '../../github/comment-section.ts';
import { writeComment } from '../../github/plain-comment.ts';
import type { GitHubDeps } from '../../github/reading.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { ListedComment } from '../../github/response-schema.ts';
import { timeLimit } from '../../network/timer.ts';
import type { Runner } from '../../runner/step.ts';
import { nameOf, type Target } from '../target.ts';

/** The comment is optional, so the step waits no longer for it, all retries included. */
const limitMs = 15_000;

/** GitHub refuses a comment of more than 65,536 characters; the rest is for our hidden lines. */
const maxLength = 65_000;

export interface CommentOptions {
  readonly target: Target;
  readonly token: string;
  /** Folder of the docs, which tells the checks of one pull request apart; `undefined` if it is not known. */
  readonly docsRoot: string | undefined;
  /** Whether to write only where an earlier report stands, so that it does not stay. */
  readonly isOnlyUpdate: boolean;
  /** Renders Markdown of at most that many characters, in which everything from outside is escaped. */
  readonly render: (maxLength: number) => string;
}

/**
 * Writes the report into the comment on the pull request: into our section of the agent's comment, or of
 * our own. Comments of other authors are never changed. A failure is only warned of.
 */
export async function writeReportComment(
  options: CommentOptions,
  github: GitHub,
  { log, clock, signal: stopped }: Pick<Runner, 'log' | 'clock' | 'signal'>,
): Promise<void> {
  const { target, token } = options;
  const signal = AbortSignal.any([stopped, timeLimit(limitMs)]);
  const deps = { session: github.as(token), clock, signal };
  const failed = await write(options, github.graphqlUrl, deps).catch(
    (error: unknown): RequestFailure => {
      // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
      const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
      return { problem, isRefusal: false };
    },
  );
  // A cancelled run sends nothing any more, and everybody knows why.
  const failure = stopped.aborted ? undefined : failed;
  if (failure !== undefined) {
    const advice = failure.isRefusal
      ? ': give github-token (or docs-token, if that is set) the permission "pull-requests: write", and check that the conversation is not locked'
      : '';
    log.warning(
      `The comment on ${nameOf(target)} could not be written, because ${failure.problem}${advice}.`,
    );
  }
}

/** @returns why that failed */
async function write(
  { target, docsRoot, isOnlyUpdate, render }: CommentOptions,
  graphqlUrl: string,
  deps: GitHubDeps,
): Promise<RequestFailure | undefined> {
  const place = { repository: target.repository, threadNumber: target.number };
  const listing = await listComments(place, deps);
  if (listing.kind === 'unread') {
    return listing;
  }
  const candidates = listing.value.filter(({ body }) => hasSections(body) || hasMark(body));
  const own = await ownAmong(candidates, { ...deps, graphqlUrl });
  if (own === undefined) {
    return unknownOwner;
  }
  const key = docsRoot === undefined ? keyOfUnknown(own) : keyOf(docsRoot);
  const withSection = (wanted: string) => own.find(({ body }) => hasSection(body, wanted));
  const ours = withSection(key) ?? withSection(unknownRootKey);
  if (isOnlyUpdate && ours === undefined) {
    return undefined;
  }
  const chosen = ours ?? own[0];
  const rest = putSection(chosen?.body ?? '', key, '', unknownRootKey);
  const text = render(maxLength - rest.length);
  return await writeComment(place, chosen?.id, putSection(rest, key, text), deps);
}

/**
 * The key of a run that failed before it found the docs. A pull request mostly has one check, which found
 * them in an earlier run: then that report is the one that is not true any more.
 */
function keyOfUnknown(own: readonly ListedComment[]): string {
  const [only, ...others] = new Set(own.flatMap(({ body }) => sectionKeys(body)));
  return only === undefined || others.length > 0 ? unknownRootKey : only;
}

function keyOf(docsRoot: string): string {
  return createHash('sha256').update(docsRoot).digest('hex').slice(0, 12);
}

/** The next run that finds the docs takes the place of such a section. No folder has this name. */
const unknownRootKey = keyOf('*');
