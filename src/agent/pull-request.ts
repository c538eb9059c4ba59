import type { GitHub } from '../github/client.ts';
import { type PullRequestReading, readPullRequest } from '../github/pull-request.ts';
import { timeLimit } from '../network/timer.ts';
import { asSeenFrom, type FoundLink } from '../platform/pull-request-link.ts';
import type { Runner } from '../runner/step.ts';
import { isOfEndedJob, type Result } from './result.ts';
import type { AgentState } from './state.ts';

/** The title and the files are optional, so the step waits only briefly for them, and never fails. */
const limitMs = 5000;

interface PullRequestDeps {
  readonly runner: Runner;
  readonly state: AgentState;
  readonly github: GitHub;
}

/**
 * Adds the pull request of a job that has ended to the state: its link and, if it is on this workflow's
 * server, its details. Its repository and number are also only used on this server, because `gh` and
 * the API would take those of another server for a different pull request.
 *
 * @param docsToken the only token that is used here; may be empty
 */
export async function learnPullRequest(
  result: Result,
  docsToken: string,
  { runner, state, github }: PullRequestDeps,
): Promise<void> {
  const { job } = state.current;
  if (!isOfEndedJob(result) || job?.pullRequest.kind !== 'link') {
    return;
  }
  const link = asSeenFrom(runner.environment.serverUrl, job.pullRequest);
  state.learn({ link });
  if (link.github === undefined) {
    return;
  }
  const reading = await read(link.github, docsToken, github, runner);
  if (reading.kind === 'read') {
    state.learn({ pullRequest: reading.pullRequest });
    return;
  }
  const { repository, number } = link.github;
  const advice = reading.isRefusal
    ? `: give docs-token a token that may read the pull requests of ${repository} (pull-requests: read)`
    : '';
  runner.log.info(
    `The title and files of pull request ${repository}#${number} could not be read, because ${reading.problem}${advice}.`,
  );
}

async function read(
  place: NonNullable<FoundLink['github']>,
  docsToken: string,
  github: GitHub,
  { clock, signal }: Runner,
): Promise<PullRequestReading> {
  if (docsToken === '') {
    return { kind: 'unread', problem: 'docs-token is empty', isRefusal: true };
  }
  const limited = AbortSignal.any([signal, timeLimit(limitMs)]);
  try {
    return await readPullRequest(place, { session: github.as(docsToken), clock, signal: limited });
  } catch (error) {
    // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
    const problem = limited.aborted ? 'GitHub did not respond in time' : String(error);
    return { kind: 'unread', problem, isRefusal: false };
  }
}
