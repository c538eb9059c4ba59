import type { GitHub } from '../github/client.ts';
import { type PullRequestReading, readPullRequest } from '../github/pull-request.ts';
import { timeLimit } from '../network/timer.ts';
import type { Job } from '../platform/job.ts';
import { asSeenFrom, type FoundLink } from '../platform/pull-request-link.ts';
import type { Environment } from '../runner/environment.ts';
import { type OutputTaker, writeOutputs } from '../runner/outputs.ts';
import type { Runner } from '../runner/step.ts';
import type { Known } from './known.ts';
import { outputsOfLink, outputsOfPullRequest } from './outputs.ts';

/** Title and size are worth a short wait, and never a failure. */
const patienceMs = 5000;

/**
 * Hands on the link that a job has at its end. Repository and number go with it only where it leads
 * to this workflow's own server: on any other, `gh` and the API would take them for another pull
 * request.
 */
export function learnLink(
  { pullRequest }: Job,
  runner: OutputTaker & { readonly environment: Pick<Environment, 'serverUrl'> },
  known: Known,
): void {
  if (pullRequest.kind === 'link') {
    known.link = asSeenFrom(runner.environment.serverUrl, pullRequest);
    writeOutputs(runner, outputsOfLink(known.link));
  }
}

/**
 * Reads the pull request of a job that is at its end, where it lies on this workflow's own server,
 * and writes what the next step may want of it.
 *
 * @param link where it is, as `learnLink` left it; `undefined` where there is none
 * @param docsToken the only token that is used here; empty for none
 */
export async function learnPullRequest(
  link: FoundLink | undefined,
  docsToken: string,
  github: GitHub,
  runner: Runner,
  known: Known,
): Promise<void> {
  if (link?.github === undefined) {
    return;
  }
  const reading = await read(link.github, docsToken, github, runner);
  if (reading.kind === 'unread') {
    const { repository, number } = link.github;
    const advice = reading.isRefusal
      ? `: give docs-token a token that may read the pull requests of ${repository} (pull-requests: read)`
      : '';
    runner.log.info(
      `The title and size of pull request ${repository}#${number} are not known, because ${reading.problem}${advice}.`,
    );
    return;
  }
  known.pullRequest = reading.pullRequest;
  writeOutputs(runner, outputsOfPullRequest(reading.pullRequest));
}

async function read(
  place: { readonly repository: string; readonly number: string },
  docsToken: string,
  github: GitHub,
  { clock, cancelled }: Runner,
): Promise<PullRequestReading> {
  if (docsToken === '') {
    return { kind: 'unread', problem: 'docs-token is empty', isRefusal: true };
  }
  const signal = AbortSignal.any([cancelled, timeLimit(patienceMs)]);
  const pause = (durationMs: number): Promise<void> => clock.sleep(durationMs, signal);
  try {
    return await readPullRequest(place, { session: github.as(docsToken), pause, signal });
  } catch (error) {
    // A pause that is broken off throws; anything else is a mistake that a step outlives.
    const problem = signal.aborted ? 'GitHub did not answer in time' : String(error);
    return { kind: 'unread', problem, isRefusal: false };
  }
}
