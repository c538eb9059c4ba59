import { adviceOnToken, type RepositoryToken } from '../github/errors.ts';
import { isSameName, type ThreadPlace, threadName } from '../github/names.ts';
import { readPullDetails, readPullRequest } from '../github/pull-request.ts';
import { failureOfError, type GitHubDeps, type Outcome } from '../github/request.ts';
import { timeLimit } from '../network/timer.ts';
import { isFinal, type Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Environment } from '../runner/environment.ts';
import { withoutSecrets } from '../text/secret.ts';
import type { AgentDeps } from './deps.ts';
import {
  attributeHead,
  commentWith,
  type Existing,
  type LastPrompt,
  leaveRecord,
  readExisting,
  sourceOf,
} from './earlier/pull-request-record.ts';
import { type AgentInputs, permissionsFor, tokenFor } from './inputs.ts';
import { hadLink, isUnseen } from './job/follow-up.ts';
import {
  closedWarning,
  labelComment,
  placeWarning,
  recordWarning,
  serverWarning,
  unseenWarning,
} from './report/continuation.ts';
import type { Request } from './request.ts';
import type { Result } from './result.ts';
import { type HandedOver, linkOf, type Waiting, type Work } from './stage.ts';

/** A job that was found through its pull request has that pull request, even if the API returns no link in the end. */
export function ofFoundPullRequest(result: Result, stage: Waiting): Result {
  const link = linkOf(stage);
  return result.result === 'no-pull-request' && link !== undefined
    ? { result: 'pull-request', job: result.job, link }
    : result;
}

/**
 * Reads the pull request of a job that has ended. With input `pr-label`, also leaves the label and a comment there, by
 * which the next run finds the pull request. Yields the stage each time that more is known, so that the outputs are
 * written even if the run is cancelled. A failure here does not fail the step: the job is done.
 */
export async function* handOver(
  link: FoundLink,
  stage: Waiting,
  deps: AgentDeps,
): AsyncGenerator<Waiting, void> {
  const { inputs, access } = stage;
  const { environment, log } = deps.runner;
  const unknown = { kind: 'unknown' } as const;
  const unread: HandedOver = { link, pullRequest: undefined, work: unknown, warnings: [] };
  yield { ...stage, handedOver: unread };
  const place = link.github;
  if (place === undefined) {
    const work = workOf(link, place, '', stage, environment);
    const warnings = inputs.onOpenPullRequest === 'new' ? [] : [serverWarning];
    for (const sentence of warnings) {
      log.warning(sentence);
    }
    yield { ...stage, handedOver: { ...unread, work, warnings } };
    return;
  }
  const token = tokenFor(place.repository, access.inputs, environment);
  const read = { ...unread, ...(await readDetails(place, token, inputs, deps)) };
  yield { ...stage, handedOver: read };
  // After a rename, the API still returns the old name of the repository, but the next run uses the new name.
  const repository = read.pullRequest?.repository || place.repository;
  yield { ...stage, handedOver: await leave(read, { ...place, repository }, token, stage, deps) };
}

/** The step can do without the title, the files and the last commit, so it waits only briefly for them. */
const detailsLimitMs = 5000;

/** Reads the details of the pull request, or logs why they could not be read. */
async function readDetails(
  place: ThreadPlace,
  token: RepositoryToken,
  { label }: AgentInputs,
  deps: AgentDeps,
): Promise<Pick<HandedOver, 'pullRequest' | 'warnings'>> {
  const limit = timeLimit(detailsLimitMs);
  const reading = await tryToAsk(token, limit, deps, (requests) =>
    readPullRequest(place, requests),
  );
  if (reading.kind === 'ok') {
    return { pullRequest: reading.value, warnings: [] };
  }
  const permissions = label === '' ? 'the permission "pull-requests: read"' : permissionsFor(label);
  const advice = reading.isRefusal ? `: ${adviceOnToken(reading, permissions, token)}` : '';
  const sentence = `The title and files of pull request ${threadName(place)} could not be read, because ${reading.problem}${advice}.`;
  // With a label, the next run must be able to read this pull request, so a missing permission is a warning.
  const isNeeded = label !== '' && reading.status === 403 && reading.isRefusal;
  deps.runner.log[isNeeded ? 'warning' : 'info'](sentence);
  return { pullRequest: undefined, warnings: isNeeded ? [sentence] : [] };
}

/**
 * Reads the last commit of a job's pull request, before the job gets a follow-up; `undefined` if the commit is not
 * known. Only the report needs the commit.
 */
export async function readHead(
  { pullRequest }: Job,
  { access }: Pick<Request, 'access'>,
  deps: AgentDeps,
): Promise<string | undefined> {
  const { environment, signal } = deps.runner;
  const place = pullRequest.kind === 'link' ? pullRequest.github : undefined;
  if (place === undefined) {
    return undefined;
  }
  const token = tokenFor(place.repository, access.inputs, environment);
  const limit = timeLimit(detailsLimitMs);
  const reading = await tryToAsk(token, limit, deps, (requests) =>
    readPullDetails(place, requests),
  );
  signal.throwIfAborted();
  return reading.kind === 'ok' ? reading.value.headSha : undefined;
}

/** Asks GitHub for something that the step can do without. Never rejects. */
async function tryToAsk<Value>(
  token: RepositoryToken,
  limit: AbortSignal,
  { runner, github }: AgentDeps,
  call: (requests: GitHubDeps) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  if (token.value === '') {
    return { kind: 'failed', problem: `${token.input} is empty`, isRefusal: true };
  }
  const signal = AbortSignal.any([runner.signal, limit]);
  const requests = { session: github.as(token.value), clock: runner.clock, signal };
  return await call(requests).catch((error: unknown) => failureOfError(error, signal));
}

/** The time limit for label and comment. The job has ended by then, so the step does not wait for long. */
const leavingLimitMs = 30_000;

/** Finds out what became of the pull request, and leaves the label and our comment on it for the next run. */
async function leave(
  read: HandedOver,
  place: ThreadPlace,
  token: RepositoryToken,
  stage: Waiting,
  deps: AgentDeps,
): Promise<HandedOver> {
  const { inputs, started, record } = stage;
  const { environment, log } = deps.runner;
  const limit = timeLimit(leavingLimitMs);
  const reading =
    inputs.label === ''
      ? undefined
      : await tryToAsk(token, limit, deps, (requests) => readExisting(started.id, place, requests));
  const existing = reading?.kind === 'ok' ? reading.value : undefined;
  const headNow = read.pullRequest?.headSha ?? '';
  const { head, news } = attributeHead(existing?.record?.last, record, headNow);
  const work = workOf(read.link, place, head, stage, environment);
  const warnings = warningsOn({ ...read, work }, news !== undefined, place, stage);
  const handedOver = { ...read, work, warnings: [...read.warnings, ...warnings] };
  const writing =
    existing !== undefined && news !== undefined
      ? await tryToAsk(token, limit, deps, (requests) => {
          const comment = commentOn(handedOver, news, existing, stage, environment);
          return leaveRecord(place, inputs.label, comment, existing, requests);
        })
      : undefined;
  const failures = [reading, writing].flatMap((outcome) =>
    outcome?.kind === 'failed' ? [recordWarning(outcome, place, token, inputs)] : [],
  );
  for (const sentence of [...warnings, ...failures]) {
    log.warning(sentence);
  }
  return { ...handedOver, warnings: [...handedOver.warnings, ...failures] };
}

/**
 * What the job did with its pull request.
 * @param place the pull request under its repository's present name; `undefined` if it is on another server
 * @param head the last commit that may be this run's work; empty if the commit is not known
 */
function workOf(
  link: FoundLink,
  place: ThreadPlace | undefined,
  head: string,
  { found, record }: Waiting,
  { serverUrl }: Environment,
): Work {
  const before = found.pullRequest?.link;
  if (record === undefined) {
    return { kind: 'unknown' };
  }
  const { followUp } = record;
  if (followUp === undefined) {
    return { kind: 'opened', instead: before };
  }
  const wasFound =
    before?.github?.number === place?.number &&
    isSameName(before?.github?.repository ?? '', place?.repository);
  const wasThere = wasFound || hadLink(followUp, link);
  if (!wasThere && before === undefined && !isFinal(followUp.statusBefore ?? 'active')) {
    // The API links no pull request of an active job, so this pull request may be older than the follow-up.
    return { kind: 'unknown' };
  }
  if (!wasThere) {
    return { kind: 'opened', instead: before };
  }
  const { headSha } = followUp;
  if (headSha === undefined || head === '') {
    return { kind: 'unknown' };
  }
  return headSha === head
    ? { kind: 'unchanged' }
    : { kind: 'continued', url: `${serverUrl}/${place?.repository}/compare/${headSha}...${head}` };
}

function warningsOn(
  { pullRequest, work }: HandedOver,
  isNews: boolean,
  place: ThreadPlace,
  stage: Waiting,
): readonly string[] {
  const { onOpenPullRequest, docsRepository: searched } = stage.inputs;
  const isSearched = onOpenPullRequest !== 'new' && stage.started.source === 'created';
  const isMissed = isSearched && !isSameName(searched, place.repository);
  const mayGrow = work.kind === 'unknown' && isUnseen(stage.record?.followUp);
  const mayBeLost = isNews && work.kind === 'continued' && pullRequest?.isOpen === false;
  return [
    ...(isMissed ? [placeWarning(searched, place)] : []),
    ...(mayBeLost ? [closedWarning(place)] : []),
    ...(mayGrow ? [unseenWarning] : []),
  ];
}

function commentOn(
  handedOver: HandedOver,
  last: LastPrompt,
  existing: Existing,
  stage: Waiting,
  environment: Environment,
): string {
  const { inputs, started, access } = stage;
  const { apiKey, projectId } = inputs.api;
  const { githubToken, docsToken } = access.inputs;
  const text = labelComment(handedOver, stage, environment);
  const secrets = [apiKey, githubToken, docsToken];
  const record = {
    jobId: started.id,
    last,
    source: existing.record?.source ?? sourceOf(environment),
  };
  return commentWith(record, withoutSecrets(text, secrets, projectId));
}
