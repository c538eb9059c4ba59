import type { SkippedResult } from '../../common/reasons.ts';
import { openPullRequestError } from '../../github/errors.ts';
import { inputError } from '../../text/error.ts';
import { docsTokenInput } from '../access/inputs.ts';
import type { AgentInputs } from '../inputs.ts';
import { findLabelled, type Search } from './find.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { type ProveDeps, type ProvenPullRequest, provePullRequest } from './prove.ts';

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const proofLimitMs = 60_000;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @param closed numbers of those that are known not to be open any more
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findOpen(
  inputs: AgentInputs,
  closed: ReadonlySet<number>,
  deps: OpenPullRequestDeps,
): Promise<Search> {
  const { label } = inputs.openPullRequest;
  const repository = docsRepositoryOf(inputs, deps);
  return await findLabelled(repository, label, closed, docsGitHub(repository, deps));
}

/** `owner/name` of the repository whose pull requests a run looks for. */
export function docsRepositoryOf(inputs: AgentInputs, { runner }: OpenPullRequestDeps): string {
  return inputs.openPullRequest.docsRepository || runner.environment.repository;
}

/**
 * Finds the job of the pull request that the event is about.
 * @throws ActionError if the event is not about a pull request
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findJobOfEvent(
  deps: OpenPullRequestDeps,
): Promise<ProvenPullRequest | SkippedResult> {
  const { runner, access } = deps;
  const { repository, serverUrl, eventName } = runner.environment;
  const { thread } = access.facts;
  if (thread === undefined) {
    throw inputError(
      'job-id',
      `is "from-pull-request", but the event ${eventName} is not about a pull request`,
      'use it on issue_comment or on an event of pull requests, or give the id of a job',
    );
  }
  const url = `${serverUrl}/${repository}/pull/${thread.number}`;
  const place = { repository, threadNumber: thread.number };
  const github = withToken(access.inputs.githubToken, 'github-token', deps);
  const proof = thread.isPullRequest ? await provePullRequest(place, url, github) : undefined;
  if (proof?.kind === 'proven') {
    return proof.found;
  }
  if (proof?.kind === 'unknown') {
    throw proof.error;
  }
  const name = `${repository}#${thread.number}`;
  return thread.isPullRequest
    ? noJob(
        `no job of this project is known to have opened pull request ${name}`,
        'give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found',
      )
    : noJob(`${name} is not a pull request`, 'comment on a pull request that the agent has opened');
}

/**
 * The result if there is no job to send something to.
 * @param problem why not; follows "because"
 * @param advice what to do about it; follows a colon
 */
export function noJob(problem: string, advice: string): SkippedResult {
  return {
    result: 'skipped',
    reason: 'no-job-for-pull-request',
    message: `Nothing was sent, because ${problem}: ${advice}.`,
    isLoud: false,
  };
}

/**
 * GitHub, as the docs repository is read.
 * @throws ActionError if there is no token
 */
export function docsGitHub(repository: string, deps: OpenPullRequestDeps): ProveDeps {
  const { inputs } = deps.access;
  const tokenInput = docsTokenInput(repository, inputs, deps.runner.environment);
  return withToken(inputs.docsToken, tokenInput, deps);
}

/** @throws ActionError if there is no token */
export function withToken(token: string, tokenInput: string, deps: OpenPullRequestDeps): ProveDeps {
  if (token === '') {
    throw openPullRequestError(
      `input ${tokenInput} is empty`,
      'leave it out, or give a token that may read pull requests',
    );
  }
  const { runner, github, state, readJob } = deps;
  const { clock, signal, environment } = runner;
  return {
    session: github.as(token),
    clock,
    signal,
    apiKey: state.current.inputs?.api.apiKey ?? '',
    graphqlUrl: github.graphqlUrl,
    serverUrl: environment.serverUrl,
    tokenInput,
    readJob(id) {
      const sinceMs = clock.nowMs();
      const deadlineMs = sinceMs + proofLimitMs;
      return readJob({ source: 'attach', id, sentMs: sinceMs, sinceMs, deadlineMs });
    },
  };
}
