import { ActionError, type ErrorReason } from '../text/error.ts';

/** What to do when the event does not name the users behind it. */
export const adviceOnEvents =
  "run this step in a workflow that GitHub starts, and leave the event's file as it is";

/** Returns a function that makes an error of a problem, which follows `start`, and advice. */
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
