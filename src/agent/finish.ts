import type { ThreadPlace } from '../github/comments.ts';
import { isSameName } from '../github/names.ts';
import { type PullRequest, readPullRequest } from '../github/pull-request.ts';
import { failureOfError, type Reading } from '../github/request.ts';
import { timeLimit } from '../network/timer.ts';
import { asSeenFrom } from '../platform/pull-request-link.ts';
import type { Granted } from './access.ts';
import { checkForcePushes } from './earlier/force-pushes.ts';
import type { EarlierPullRequest } from './earlier/labelled.ts';
import {
  type Mark,
  type MarkDeps,
  type MarkFailure,
  markPullRequest,
  readMarks,
} from './earlier/pull-request-comment.ts';
import { type AgentInputs, adviceOnToken, type RepositoryToken, tokenFor } from './inputs.ts';
import { replacedOf } from './report/pull-request.ts';
import {
  closedWarning,
  labelComment,
  lostWarnings,
  markWarning,
  placeWarning,
  serverWarning,
  unknownWarning,
} from './report/round.ts';
import { isOfEndedJob, type Result } from './result.ts';
import type { AgentDeps, Round, State } from './state.ts';

/** What the last step of a run needs. */
interface FinishDeps extends AgentDeps {
  readonly access: Granted;
  readonly inputs: AgentInputs;
  /** The pull request that this run continued in, as it was before. */
  readonly before: EarlierPullRequest | undefined;
}

/**
 * Reads the pull request of a job that has ended, and leaves on it what the next run needs. None of that
 * fails the step: the pull request is there.
 */
export async function finish(result: Result, deps: FinishDeps): Promise<void> {
  await readDetails(result, deps);
  const { inputs, before } = deps;
  if (result.result === 'pull-request' && (inputs.label !== '' || before !== undefined)) {
    await finishRound(result.job.id, deps);
  }
}

/** Adds what is known of the round to the state. */
function learnRound(state: AgentDeps['state'], news: Partial<Round>): void {
  state.learn({ round: { warnings: [], ...state.current.round, ...news } });
}

/** The title and the files are optional, so the step waits only briefly for them. */
const detailsLimitMs = 5000;

/**
 * Adds the pull request of a job that has ended to the state: its link and, if it is on this workflow's
 * server, its details. Its repository and number are also only used on this server, because `gh` and
 * the API would take those of another server for a different pull request.
 */
async function readDetails(
  result: Result,
  { runner, state, github, access }: FinishDeps,
): Promise<void> {
  const { environment, log, clock } = runner;
  const { job } = state.current;
  if (!isOfEndedJob(result) || job?.pullRequest.kind !== 'link') {
    return;
  }
  const link = asSeenFrom(environment.serverUrl, job.pullRequest);
  state.learn({ link });
  if (link.github === undefined) {
    return;
  }
  const { repository, number } = link.github;
  const token = tokenFor(repository, access.inputs, environment);
  const signal = AbortSignal.any([runner.signal, timeLimit(detailsLimitMs)]);
  const reading: Reading<PullRequest> =
    token.value === ''
      ? { kind: 'unread', problem: `${token.input} is empty`, isRefusal: true }
      : await readPullRequest(
          { repository, number: Number(number) },
          { session: github.as(token.value), clock, signal },
        ).catch(
          (error: unknown) => ({ kind: 'unread', ...failureOfError(error, signal) }) as const,
        );
  if (reading.kind === 'read') {
    state.learn({ pullRequest: reading.value });
    return;
  }
  const advice = adviceOnToken(reading, 'the permission "pull-requests: read"', token);
  log.info(
    `The title and files of pull request ${repository}#${number} could not be read, because ${reading.problem}${reading.isRefusal ? `: ${advice}` : ''}.`,
  );
}

/** All of this comes after the job has ended, so the step waits for it no longer than this. */
const roundLimitMs = 30_000;

/** Checks what became of the pull request, and marks it for the next run. */
async function finishRound(jobId: string, deps: FinishDeps): Promise<void> {
  const { runner, state, inputs, github, access } = deps;
  const { log, environment, clock } = runner;
  const { link, source } = state.current;
  const warn = (sentence: string): void => {
    log.warning(sentence);
    const warnings = [...(state.current.round?.warnings ?? []), sentence];
    learnRound(state, { warnings });
  };
  if (link?.github === undefined) {
    (inputs.onOpenPullRequest === 'new' ? log.debug : warn)(serverWarning(inputs));
    return;
  }
  const { repository, number } = link.github;
  const place = { repository, number: Number(number) };
  const searched = inputs.docsRepository || environment.repository;
  const isSearched = inputs.onOpenPullRequest !== 'new' && source === 'created';
  if (isSearched && !isSameName(searched, repository)) {
    warn(placeWarning(searched, place));
  }
  const token = tokenFor(repository, access.inputs, environment);
  const signal = AbortSignal.any([runner.signal, timeLimit(roundLimitMs)]);
  const session = github.as(token.value);
  const { graphqlUrl } = github;
  const { apiKey } = inputs.api;
  const requests = { session, graphqlUrl, clock, signal, apiKey };
  // If the job has opened another pull request, that one has another branch, and no comment of ours yet.
  const before = replacedOf(state.current) === undefined ? deps.before : undefined;
  const round = { ...deps, before, jobId, place, token, requests, warn };
  if (token.value === '') {
    const problem = `${token.input} is empty`;
    warnOfMark({ of: 'label', problem, isRefusal: true, isCertain: true }, false, round);
    return;
  }
  await checkAndMark(round).catch((error: unknown) => {
    const failure = failureOfError(error, signal);
    if (inputs.label === '') {
      warn(unknownWarning(failure, place, token));
    } else {
      warnOfMark({ of: 'comment', isCertain: false, ...failure }, before !== undefined, round);
    }
  });
}

interface RoundDeps extends FinishDeps {
  readonly jobId: string;
  readonly place: ThreadPlace;
  readonly token: RepositoryToken;
  readonly requests: MarkDeps;
  /** Warns in the log, the summary and the comment. */
  readonly warn: (sentence: string) => void;
}

/** @param isMarked whether the comment of an earlier run is there, by which the next run finds it */
function warnOfMark(failure: MarkFailure, isMarked: boolean, deps: RoundDeps): void {
  deps.warn(markWarning(failure, isMarked, deps.place, deps.token, deps.inputs));
}

async function checkAndMark(deps: RoundDeps): Promise<void> {
  const { state, inputs, before, jobId, place, requests } = deps;
  const marks = inputs.label === '' ? undefined : await readMarks(place, jobId, requests);
  const latest = marks?.kind === 'read' ? marks.value.latest : undefined;
  compareWithBefore(deps);
  await checkBranch(latest, deps);
  if (marks?.kind === 'unread') {
    // Only its comment can have led this run to a pull request of before.
    const failure = { ...marks, of: 'comment', isCertain: marks.isRefusal } as const;
    warnOfMark(failure, before !== undefined, deps);
  }
  if (marks?.kind !== 'read') {
    return;
  }
  const mark = nextMark(latest, deps);
  learnRound(state, { count: mark.round });
  if (latest !== undefined && isWritten(latest, mark, state.current)) {
    return;
  }
  const text = labelComment(mark, deps);
  const failure = await markPullRequest(
    { place, label: inputs.label, mark, text },
    marks.value,
    requests,
  );
  if (failure !== undefined) {
    warnOfMark(failure, latest !== undefined, deps);
  }
}

/** Finds out what this run added to a pull request that was there before. */
function compareWithBefore({ before, state, runner, place, warn }: RoundDeps): void {
  const { pullRequest } = state.current;
  if (before?.headSha === undefined || pullRequest === undefined) {
    return;
  }
  if (!pullRequest.isOpen) {
    warn(closedWarning(place));
  }
  const isUnchanged = before.headSha === pullRequest.headSha;
  const page = `${runner.environment.serverUrl}/${place.repository}/compare`;
  learnRound(state, {
    isUnchanged,
    ...(!isUnchanged && { changesUrl: `${page}/${before.headSha}...${pullRequest.headSha}` }),
  });
}

/**
 * Warns of commits that the branch has no more.
 * @param latest what the last run has written down, if there was one
 */
async function checkBranch(
  latest: Mark | undefined,
  { state, before, place, token, requests, warn }: RoundDeps,
): Promise<void> {
  const { pullRequest } = state.current;
  const sinceMs = latest?.atMs ?? before?.checkedMs;
  if (pullRequest === undefined || sinceMs === undefined) {
    return;
  }
  const { lost, failure } = await checkForcePushes(place, pullRequest, sinceMs, requests);
  lostWarnings(lost, place).forEach(warn);
  if (failure !== undefined) {
    // What could not be found out must not pass for good news.
    warn(unknownWarning(failure, place, token));
  }
}

/** This run's mark. One that this same run has left already, in an earlier attempt, is replaced. */
function nextMark(latest: Mark | undefined, { state, runner, jobId }: RoundDeps): Mark {
  const { repository, runId } = runner.environment;
  const run = `${repository}#${runId}`;
  const isAttached = state.current.source === 'attached' && latest !== undefined;
  return {
    jobId,
    run,
    round: (latest?.round ?? 0) + (latest?.run === run || isAttached ? 0 : 1),
    head: state.current.pullRequest?.headSha ?? '',
    atMs: Math.round(runner.clock.todayMs()),
  };
}

/** A step that only waits may wait for a round that another run has written down. */
function isWritten(latest: Mark, { head }: Mark, { source }: State): boolean {
  return source === 'attached' && (head === '' || latest.head === head);
}
