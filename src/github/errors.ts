import { ActionError, type ErrorReason, rerunLater } from '../text/error.ts';
import { type ThreadPlace, threadName } from './names.ts';
import type { RequestFailure } from './request.ts';

/** What to do when the event does not name the users behind it. */
export const adviceOnEvents =
  "run this step in a workflow that GitHub starts, and leave the event's file as it is";

/** Returns a function that makes an error from a problem, which follows `start`, and from advice. */
function errorsOf(reason: ErrorReason, start: string) {
  return (problem: string, advice: string) =>
    new ActionError(reason, `${start} ${problem}`, advice);
}

/** The error if the permission of the users behind the run cannot be checked, so nothing may be started. */
export const permissionError = errorsOf(
  'permission-check-failed',
  'whether this run may start a job could not be checked, because',
);

/** The error if the commits and files for a prompt cannot be read from GitHub. */
export const changesError = errorsOf(
  'changes-unreadable',
  'the changes for the prompt could not be read, because',
);

/**
 * The error if GitHub, or the API, does not return what must be known of open pull requests before anything
 * is sent. The problem is a main clause.
 */
export const openPullRequestError = errorsOf(
  'pull-request-unreadable',
  'nothing was started, because this run may belong to an open pull request, and',
);

/** A token for one repository. */
export interface RepositoryToken {
  /** `owner/name` */
  readonly repository: string;
  /** May be empty. */
  readonly value: string;
  /**
   * The input that advice has to name. The workflow's own token can get permissions on the workflow's own
   * repository only.
   */
  readonly input: 'docs-token' | 'github-token';
  /** Whether the workflow's own token is used for another repository. */
  readonly isStandIn: boolean;
}

/**
 * What to do if GitHub refuses a token.
 * @param permissions what to give the input, such as `the permission "contents: read"`
 * @param doubt what else to check if GitHub responds with 404, as a clause that follows "check that"
 */
export function adviceOnToken(
  { status }: { readonly status?: number },
  permissions: string,
  { repository, input, isStandIn }: Omit<RepositoryToken, 'value'>,
  doubt = 'this repository exists',
): string {
  if (status === 401) {
    return `check that ${input} is complete and has not expired, as the token of an App does after an hour`;
  }
  if (status === 404 && isStandIn) {
    return `docs-token is empty, and this workflow's own token sees no repository ${repository}, so if that is its name, create a fine-grained token for it that has ${permissions}, store it as a secret, and set docs-token to it`;
  }
  const check = isGone({ status }) ? `, and check that ${doubt}` : '';
  // Nothing was sent, because the input is empty. If it is left out, a default takes its place.
  const give = status === undefined ? `leave ${input} out, or give it` : `give ${input}`;
  return `${give} ${permissions} on ${repository}${check}`;
}

/** Whether GitHub has nothing under that address, or hides it from the token. */
export function isGone({ status }: { readonly status?: number | undefined }): boolean {
  return status === 404 || status === 410;
}

/** What to do if GitHub refuses a comment. */
export function adviceOnComment(
  failure: { readonly status?: number },
  permissions: string,
  token: Omit<RepositoryToken, 'value'>,
  place: ThreadPlace,
): string {
  // GitHub refuses a comment on a locked conversation with 403.
  const lock = failure.status === 403 ? ', and check that the conversation is not locked' : '';
  const doubt = `${threadName(place)} exists, and that nobody deleted the comment`;
  return `${adviceOnToken(failure, permissions, token, doubt)}${lock}`;
}

/**
 * Says that a comment could not be written, and what to do if GitHub refused it.
 * @param instead another thing to do, appended to the advice
 */
export function commentFailure(
  failure: RequestFailure,
  permissions: string,
  token: Omit<RepositoryToken, 'value'>,
  place: ThreadPlace,
  instead = '',
): string {
  const { problem, isRefusal } = failure;
  const advice = `: ${adviceOnComment(failure, permissions, token, place)}${instead}`;
  return `The comment on ${threadName(place)} could not be written, because ${problem}${isRefusal ? advice : ''}.`;
}

/** What to do if something could not be read, whether GitHub refuses the token or there is another fault. */
export function adviceOnFailure(
  failure: { readonly status?: number; readonly isRefusal: boolean; readonly advice?: string },
  permissions: string,
  token: Omit<RepositoryToken, 'value'>,
  doubt?: string,
): string {
  return failure.isRefusal
    ? adviceOnToken(failure, permissions, token, doubt)
    : (failure.advice ?? rerunLater);
}
