import type { GitHub } from '../github/client.ts';
import { type PullRequest, readPullRequest } from '../github/pull-request.ts';
import type { Reading } from '../github/reading.ts';
import { timeLimit } from '../network/timer.ts';
import type { Job } from '../platform/job.ts';
import { asSeenFrom, type FoundLink } from '../platform/pull-request-link.ts';
import type { Runner } from '../runner/runner.ts';
import { type AccessInputs, docsTokenInput } from './access/inputs.ts';
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
 * Adds the pull request that a job had before its follow-up to the state.
 * @param before the job as it was then; `undefined` without a follow-up
 */
export function learnLinkBefore(
  before: Job | undefined,
  { runner, state }: Pick<PullRequestDeps, 'runner' | 'state'>,
): void {
  if (before?.pullRequest.kind === 'link') {
    state.learn({ linkBefore: asSeenFrom(runner.environment.serverUrl, before.pullRequest) });
  }
}

/**
 * Adds the pull request of a job that has ended to the state: its link and, if it is on this workflow's
 * server, its details. Its repository and number are also only used on this server, because `gh` and
 * the API would take those of another server for a different pull request.
 *
 * @param inputs the tokens, of which only `docsToken` is used here; may be empty
 */
export async function learnPullRequest(
  result: Result,
  inputs: Pick<AccessInputs, 'githubToken' | 'docsToken'>,
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
  const tokenInput = docsTokenInput(link.github.repository, inputs, runner.environment);
  const reading =
    inputs.docsToken === ''
      ? ({ kind: 'unread', problem: `${tokenInput} is empty`, isRefusal: true } as const)
      : await read(link.github, inputs.docsToken, github, runner);
  if (reading.kind === 'read') {
    state.learn({ pullRequest: reading.value });
    return;
  }
  const { repository, number } = link.github;
  const advice = reading.isRefusal ? `: ${adviceOn(tokenInput, repository)}` : '';
  runner.log.info(
    `The title and files of pull request ${repository}#${number} could not be read, because ${reading.problem}${advice}.`,
  );
}

function adviceOn(tokenInput: string, repository: string): string {
  return tokenInput === 'docs-token'
    ? `give docs-token a token that may read the pull requests of ${repository} (pull-requests: read)`
    : `give github-token the permission "pull-requests: read"`;
}

async function read(
  place: NonNullable<FoundLink['github']>,
  docsToken: string,
  github: GitHub,
  { clock, signal }: Runner,
): Promise<Reading<PullRequest>> {
  const limited = AbortSignal.any([signal, timeLimit(limitMs)]);
  try {
    return await readPullRequest(place, { session: github.as(docsToken), clock, signal: limited });
  } catch (error) {
    // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
    const problem = limited.aborted ? 'GitHub did not respond in time' : String(error);
    return { kind: 'unread', problem, isRefusal: false };
  }
}
