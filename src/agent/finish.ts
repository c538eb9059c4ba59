import type { ThreadPlace } from '../github/comments.ts';
import { adviceOnToken, type RepositoryToken } from '../github/errors.ts';
import { isSameName, threadName } from '../github/names.ts';
import { type PullRequest, readPullRequest } from '../github/pull-request.ts';
import { failureOfError, type Outcome } from '../github/request.ts';
import { timeLimit } from '../network/timer.ts';
import { asSeenFrom } from '../platform/pull-request-link.ts';
import type { Granted } from './access.ts';
import { checkForcePushes } from './earlier/force-pushes.ts';
import type { EarlierPullRequest } from './earlier/labelled.ts';
import {
  type Mark,
  type MarkDeps,
  type MarkedPlace,
  markPullRequest,
  readMarks,
  sourceOf,
} from './earlier/pull-request-comment.ts';
import { type AgentInputs, tokenFor } from './inputs.ts';
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
  const { runner, state, inputs, access, before } = deps;
  const { job } = state.current;
  if (!isOfEndedJob(result) || job?.pullRequest.kind !== 'link') {
    return;
  }
  const link = asSeenFrom(runner.environment.serverUrl, job.pullRequest);
  state.learn({ link });
  const isRound = inputs.label !== '' || before !== undefined;
  if (link.github === undefined) {
    if (isRound && inputs.onOpenPullRequest !== 'new') {
      warnIn(deps)(serverWarning);
    }
    return;
  }
  const { repository, number } = link.github;
  const linked = { repository, number: Number(number) };
  const token = tokenFor(repository, access.inputs, runner.environment);
  await readDetails(linked, token, deps);
  if (isRound) {
    // The API keeps the name that the repository had, and the next run looks under the one that it has.
    const now = state.current.pullRequest?.repository || repository;
    const place = { ...linked, repository: now, otherName: repository };
    await finishRound(job.id, place, token, deps);
  }
}

/** Returns a function that warns in the log, the summary and the comment. */
function warnIn({ runner, state }: AgentDeps): (sentence: string) => void {
  return (sentence) => {
    runner.log.warning(sentence);
    learnRound(state, { warnings: [...(state.current.round?.warnings ?? []), sentence] });
  };
}

/** Adds what is known of the round to the state. */
function learnRound(state: AgentDeps['state'], news: Partial<Round>): void {
  state.learn({ round: { warnings: [], ...state.current.round, ...news } });
}

/** The title and the files are optional, so the step waits only briefly for them. */
const detailsLimitMs = 5000;

/** Adds the details of the pull request to the state, if a token can read them. */
async function readDetails(
  place: ThreadPlace,
  token: RepositoryToken,
  { runner, state, github }: AgentDeps,
): Promise<void> {
  const { log, clock } = runner;
  const signal = AbortSignal.any([runner.signal, timeLimit(detailsLimitMs)]);
  const reading: Outcome<PullRequest> =
    token.value === ''
      ? { kind: 'failed', problem: `${token.input} is empty`, isRefusal: true }
      : await readPullRequest(place, { session: github.as(token.value), clock, signal }).catch(
          (error: unknown) => ({ kind: 'failed', ...failureOfError(error, signal) }) as const,
        );
  if (reading.kind === 'ok') {
    state.learn({ pullRequest: reading.value });
    return;
  }
  const advice = adviceOnToken(reading, 'the permission "pull-requests: read"', token);
  log.info(
    `The title and files of pull request ${threadName(place)} could not be read, because ${reading.problem}${reading.isRefusal ? `: ${advice}` : ''}.`,
  );
}

/** All of this comes after the job has ended, so the step waits for it no longer than this. */
const roundLimitMs = 30_000;

/** Checks what became of the pull request, and marks it for the next run. */
async function finishRound(
  jobId: string,
  place: MarkedPlace,
  token: RepositoryToken,
  deps: FinishDeps,
): Promise<void> {
  const { runner, state, inputs, github } = deps;
  const { source } = state.current;
  const warn = warnIn(deps);
  const searched = inputs.docsRepository || runner.environment.repository;
  const isSearched = inputs.onOpenPullRequest !== 'new' && source === 'created';
  if (isSearched && !isSameName(searched, place.repository)) {
    warn(placeWarning(searched, place));
  }
  const signal = AbortSignal.any([runner.signal, timeLimit(roundLimitMs)]);
  const session = github.as(token.value);
  const { apiKey } = inputs.api;
  const requests = { session, clock: runner.clock, signal, apiKey };
  // If the job has opened another pull request, that one has another branch, and no comment of ours yet.
  const before = replacedOf(state.current) === undefined ? deps.before : undefined;
  const round = { ...deps, before, jobId, place, token, requests, warn };
  if (token.value === '') {
    const problem = `${token.input} is empty`;
    warn(markWarning({ of: 'label', problem, isRefusal: true }, round));
    return;
  }
  await checkAndMark(round).catch((error: unknown) => {
    const failure = failureOfError(error, signal);
    if (inputs.label === '') {
      warn(unknownWarning(failure, place, token));
    } else {
      warn(markWarning({ of: 'comment', ...failure }, round));
    }
  });
}

interface RoundDeps extends FinishDeps {
  readonly jobId: string;
  readonly place: MarkedPlace;
  readonly token: RepositoryToken;
  readonly requests: MarkDeps;
  /** Warns in the log, the summary and the comment. */
  readonly warn: (sentence: string) => void;
}

async function checkAndMark(deps: RoundDeps): Promise<void> {
  const { state, inputs, jobId, place, requests, warn } = deps;
  const marks = inputs.label === '' ? undefined : await readMarks(place, jobId, requests);
  const latest = marks?.kind === 'ok' ? marks.value.latest : undefined;
  compareWithBefore(deps);
  await checkBranch(latest, deps);
  if (marks?.kind === 'failed') {
    warn(markWarning({ ...marks, of: 'comment' }, deps));
  }
  if (marks?.kind !== 'ok') {
    return;
  }
  const mark = nextMark(latest, deps);
  learnRound(state, { count: mark.round });
  if (latest !== undefined && isWritten(latest, mark, state.current)) {
    return;
  }
  const text = labelComment(mark, deps);
  const marked = { place, label: inputs.label, mark, text };
  const failure = await markPullRequest(marked, marks.value, requests);
  if (failure !== undefined) {
    warn(markWarning(failure, deps));
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
function nextMark(latest: Mark | undefined, { state, runner, inputs, jobId }: RoundDeps): Mark {
  const { repository, runId } = runner.environment;
  const run = `${repository}#${runId}`;
  const isAttached = state.current.source === 'attached' && latest !== undefined;
  return {
    jobId,
    run,
    round: (latest?.round ?? 0) + (latest?.run === run || isAttached ? 0 : 1),
    head: state.current.pullRequest?.headSha ?? '',
    atMs: Math.round(runner.clock.todayMs()),
    // A run that was given the job may belong to another repository than the one that asked for it. The first
    // mark names one all the same: without, every repository would take the pull request for its own.
    source:
      inputs.job.kind === 'new' || latest === undefined
        ? sourceOf(runner.environment)
        : latest.source,
  };
}

/** A step that only waits may wait for a round that another run has written down. */
function isWritten(latest: Mark, { head }: Mark, { source }: State): boolean {
  return source === 'attached' && (head === '' || latest.head === head);
}
