import type { ThreadPlace } from '../github/comments.ts';
import { adviceOnToken, type RepositoryToken } from '../github/errors.ts';
import { isSameName, threadName } from '../github/names.ts';
import { type PullRequest, readPullDetails, readPullRequest } from '../github/pull-request.ts';
import {
  failureOfError,
  type GitHubDeps,
  type Outcome,
  type RequestFailure,
} from '../github/request.ts';
import { timeLimit } from '../network/timer.ts';
import { isFinal, type Job } from '../platform/job.ts';
import { asSeenFrom, type FoundLink } from '../platform/pull-request-link.ts';
import { withoutSecrets } from '../text/secret.ts';
import type { AgentDeps } from './deps.ts';
import {
  leaveRecord,
  type RecordsOfJob,
  readRecordsOf,
  sourceOf,
  withRound,
} from './earlier/pull-request-record.ts';
import { type AgentInputs, permissionsFor, tokenFor } from './inputs.ts';
import { hadLink } from './job/follow-up.ts';
import {
  closedWarning,
  type HandingOver,
  labelComment,
  placeWarning,
  recordWarning,
  serverWarning,
} from './report/continuation.ts';
import { isClosed, replacedIn } from './report/pull-request.ts';
import { docsRepositoryOf, type Request } from './request.ts';
import type { Result } from './result.ts';
import type { Continuation, HandedOver, Waiting } from './stage.ts';

/** The pull request through which the run found the job; `undefined` if the run found the job in another way. */
function linkFound({ plan, found }: Waiting): FoundLink | undefined {
  return plan.kind === 'new' ? undefined : found.pullRequest?.link;
}

/** A job that was found through its pull request has that pull request, even if the API returns no link in the end. */
export function ofFoundPullRequest(result: Result, waiting: Waiting): Result {
  const link = linkFound(waiting);
  return result.result === 'no-pull-request' && link !== undefined
    ? { ...result, result: 'pull-request', url: link.url }
    : result;
}

/**
 * Reads the pull request of a job that has ended, and leaves on it what the next run needs. Each time that more is
 * known of the pull request, this yields all that is known. A failure here does not fail the step: the job is done.
 */
export async function* handOver(
  result: Result,
  stage: Waiting,
  deps: AgentDeps,
): AsyncGenerator<HandedOver> {
  const { inputs, found, seen } = stage;
  const { environment, log } = deps.runner;
  const ofJob = linkAtEnd(result, stage);
  if (ofJob === undefined) {
    return;
  }
  const link = asSeenFrom(environment.serverUrl, ofJob);
  const isAsBefore = seen.followUp !== undefined && hadLink(seen.followUp, ofJob);
  const before = isAsBefore ? link : found.pullRequest?.link;
  let handedOver: HandedOver = { link, before, pullRequest: undefined, continuation: nothingKnown };
  yield handedOver;
  const wasThere = found.pullRequest !== undefined || seen.followUp?.headSha !== undefined;
  const isContinued = inputs.label !== '' || wasThere;
  if (link.github === undefined) {
    if (isContinued && inputs.onOpenPullRequest !== 'new') {
      log.warning(serverWarning);
      yield { ...handedOver, continuation: { ...nothingKnown, warnings: [serverWarning] } };
    }
    return;
  }
  const { repository, number } = link.github;
  const place = { repository, number: Number(number) };
  const token = tokenFor(repository, stage.access.inputs, environment);
  const { pullRequest, warnings } = await readDetails(place, token, inputs, deps);
  handedOver = { ...handedOver, pullRequest, continuation: { ...nothingKnown, warnings } };
  yield handedOver;
  if (isContinued) {
    // After a rename, the API still returns the old name of the repository; the next run searches under the new one.
    const named = { ...place, repository: pullRequest?.repository || repository };
    const continuation = await continueIn(named, token, { ...stage, handedOver }, deps);
    yield { ...handedOver, continuation };
  }
}

/** Link to the pull request of a job that has ended; `undefined` if it has none. */
function linkAtEnd(result: Result, stage: Waiting): FoundLink | undefined {
  if (!('job' in result && isFinal(result.job.status))) {
    return undefined;
  }
  const { pullRequest: linked } = result.job;
  if (linked.kind === 'link') {
    return linked;
  }
  return result.result === 'pull-request' ? linkFound(stage) : undefined;
}

const nothingKnown: Continuation = { count: undefined, changes: 'unknown', warnings: [] };

/** The step can do without the title, the files and the last commit, so it waits only briefly for them. */
const detailsLimitMs = 5000;

/** The time limit for label and comment. The job has ended by then, so the step does not wait for long. */
const leavingLimitMs = 30_000;

/** Sends requests to GitHub for something that the step can do without. Never rejects. */
type TryToAsk = <Answer>(
  call: (requests: GitHubDeps) => Promise<Answer>,
) => Promise<Answer | Extract<Outcome<never>, { kind: 'failed' }>>;

/** @param limitMs the time limit for all requests together */
function askerFor(
  token: RepositoryToken,
  limitMs: number,
  { runner: { clock, signal: stop }, github }: AgentDeps,
): TryToAsk {
  const signal = AbortSignal.any([stop, timeLimit(limitMs)]);
  return async (call) =>
    token.value === ''
      ? { kind: 'failed', problem: `${token.input} is empty`, isRefusal: true }
      : await call({ session: github.as(token.value), clock, signal }).catch(
          (error: unknown) => ({ kind: 'failed', ...failureOfError(error, signal) }) as const,
        );
}

/** Reads the details of the pull request, or logs why they could not be read. */
async function readDetails(
  place: ThreadPlace,
  token: RepositoryToken,
  { label }: AgentInputs,
  deps: AgentDeps,
): Promise<{ readonly pullRequest?: PullRequest; readonly warnings: readonly string[] }> {
  const tryToAsk = askerFor(token, detailsLimitMs, deps);
  const reading = await tryToAsk((requests) => readPullRequest(place, requests));
  if (reading.kind === 'ok') {
    return { pullRequest: reading.value, warnings: [] };
  }
  const permissions = label === '' ? 'the permission "pull-requests: read"' : permissionsFor(label);
  const advice = reading.isRefusal ? `: ${adviceOnToken(reading, permissions, token)}` : '';
  const sentence = `The title and files of pull request ${threadName(place)} could not be read, because ${reading.problem}${advice}.`;
  // With a label, the next run must be able to read this pull request, so a missing permission is a warning.
  const isNeeded = label !== '' && reading.status === 403 && reading.isRefusal;
  deps.runner.log[isNeeded ? 'warning' : 'info'](sentence);
  return { warnings: isNeeded ? [sentence] : [] };
}

/**
 * Reads the last commit of a job's pull request, before the job gets a follow-up; `undefined` if that is not
 * known. Only the report needs it.
 */
export async function readHead(
  { pullRequest: linked }: Job,
  { access }: Pick<Request, 'access'>,
  deps: AgentDeps,
): Promise<string | undefined> {
  const { environment, signal } = deps.runner;
  const link =
    linked.kind === 'link' ? asSeenFrom(environment.serverUrl, linked).github : undefined;
  if (link === undefined) {
    return undefined;
  }
  const token = tokenFor(link.repository, access.inputs, environment);
  const place = { repository: link.repository, number: Number(link.number) };
  const tryToAsk = askerFor(token, detailsLimitMs, deps);
  const reading = await tryToAsk((requests) => readPullDetails(place, requests));
  signal.throwIfAborted();
  return reading.kind === 'ok' ? reading.value.headSha : undefined;
}

/** Finds out what became of the pull request, and leaves on it what the next run needs. */
async function continueIn(
  place: ThreadPlace,
  token: RepositoryToken,
  stage: HandingOver,
  deps: AgentDeps,
): Promise<Continuation> {
  const { inputs, started, handedOver } = stage;
  const { environment, log } = deps.runner;
  const warnings = [...handedOver.continuation.warnings];
  const warn = (sentence: string): void => {
    log.warning(sentence);
    warnings.push(sentence);
  };
  const searched = docsRepositoryOf(stage);
  const isSearched = inputs.onOpenPullRequest !== 'new' && started.source === 'created';
  if (isSearched && !isSameName(searched, place.repository)) {
    warn(placeWarning(searched, place));
  }
  const tryToAsk = askerFor(token, leavingLimitMs, deps);
  const reading =
    inputs.label === ''
      ? undefined
      : await tryToAsk((requests) => readRecordsOf(started.id, place, requests));
  const records = reading?.kind === 'ok' ? reading.value : undefined;
  const head = handedOver.pullRequest?.headSha ?? '';
  const round = withRound(records?.latest?.rounds ?? [], stage.record, head);
  const changes = changesIn(place, round.head, stage, environment.serverUrl);
  if (round.isNews && changes !== 'unknown' && isClosed(stage)) {
    warn(closedWarning(place));
  }
  const continuation = { count: records && round.count, changes, warnings };
  const shown = { ...stage, handedOver: { ...handedOver, continuation } };
  const failure = reading && (await leaveRound(round, reading, place, shown, tryToAsk, deps));
  if (failure !== undefined) {
    warn(recordWarning(failure, place, token, inputs));
  }
  return continuation;
}

/** Leaves the label and the record on the pull request, unless an earlier run did and nothing has changed since. */
async function leaveRound(
  { rounds, isNews }: ReturnType<typeof withRound>,
  reading: Outcome<RecordsOfJob>,
  place: ThreadPlace,
  stage: HandingOver,
  tryToAsk: TryToAsk,
  { runner: { environment } }: AgentDeps,
): Promise<RequestFailure | undefined> {
  if (reading.kind === 'failed') {
    return reading;
  }
  const { latest, wasLeft } = reading.value;
  if (wasLeft && !isNews) {
    return undefined;
  }
  const { inputs, started } = stage;
  // A run that was given a job by its id may belong to another repository than the run that started the job.
  const isOwn = inputs.job.kind === 'new' || latest === undefined;
  const source = isOwn ? sourceOf(environment) : latest.source;
  const record = { jobId: started.id, rounds, source };
  const { apiKey, projectId } = inputs.api;
  const { githubToken, docsToken } = stage.access.inputs;
  const secrets = [apiKey, githubToken, docsToken];
  const text = withoutSecrets(labelComment(stage, environment), secrets, projectId);
  const left = { place, label: inputs.label, record, text };
  return await tryToAsk((requests) => leaveRecord(left, reading.value, requests));
}

/**
 * What this run added to a pull request that was there before.
 * @param head the last commit of the run's round; empty if that is not known
 */
function changesIn(
  { repository }: ThreadPlace,
  head: string,
  { seen, handedOver }: HandingOver,
  serverUrl: string,
): Continuation['changes'] {
  // If the job has opened another pull request, the new pull request has another branch.
  const isSame = handedOver.before !== undefined && replacedIn(handedOver) === undefined;
  const before = isSame ? seen.followUp?.headSha : undefined;
  if (before === undefined || head === '') {
    return 'unknown';
  }
  return before === head
    ? 'none'
    : { url: `${serverUrl}/${repository}/compare/${before}...${head}` };
}
