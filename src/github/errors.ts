import { ActionError } from '../text/error.ts';

/** What to do when the event does not name the users behind it. */
export const adviceOnEvents =
  "run this step in a workflow that GitHub starts, and leave the event's file as it is";

/**
 * The error if the permission of the users behind the run cannot be checked, so nothing may be started.
 * @param problem why not; follows "because"
 */
export function permissionError(problem: string, advice: string): ActionError {
  return new ActionError(
    'permission-check-failed',
    `whether this run may start a job could not be checked, because ${problem}`,
    advice,
  );
}

/**
 * The error if the commits and files for a prompt cannot be read from GitHub.
 * @param problem why not; follows "because"
 */
export function changesError(problem: string, advice: string): ActionError {
  return new ActionError(
    'changes-unreadable',
    `the changes for the prompt could not be read, because ${problem}`,
    advice,
  );
}

/**
 * The error if GitHub, or the API, does not tell what has to be known of open pull requests before
 * anything is sent.
 * @param problem a main clause
 */
export function openPullRequestError(problem: string, advice: string): ActionError {
  return new ActionError(
    'pull-request-unreadable',
    `nothing was started, because this run may belong to an open pull request, and ${problem}`,
    advice,
  );
}

/**
 * The error if the pull request that is to be checked cannot be read from GitHub.
 * @param place such as `acme/docs#12`
 * @param problem why not; follows "because"
 */
export function pullRequestError(place: string, problem: string, advice: string): ActionError {
  return new ActionError(
    'pull-request-unreadable',
    `pull request ${place} could not be read, because ${problem}`,
    advice,
  );
}
