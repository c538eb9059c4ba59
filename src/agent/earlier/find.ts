import type { RequestFailure } from '../../github/request.ts';
import { ActionError, hasReason, inputError, rerunLater } from '../../text/error.ts';
import type { AgentDeps } from '../deps.ts';
import { isUnseen } from '../job/follow-up.ts';
import { pollUntilRead, type ReadProgress, type RunDeps, withTimeToRead } from '../job/poll.ts';
import type { PolledJob } from '../job/polled-job.ts';
import { beginProgress } from '../job/progress.ts';
import { adviceOnRequest } from '../job/start.ts';
import type { Request } from '../request.ts';
import { statusTraits } from '../result.ts';
import {
  type EarlierPullRequest,
  findOpenPullRequest,
  type PullRequestSearch,
  provePullRequest,
  searchIn,
} from './find-open-pull-request.ts';
import { byAge, hashesOf, type JobRecord, prefixOf, readRecord, resumed } from './record.ts';
import { commentPermission, listRecords, targetOf } from './step-comment.ts';

/** What earlier runs left, as far as this run has to know. */
export interface Found extends PullRequestSearch {
  readonly attempt: EarlierAttempt;
}

/** The job of an earlier attempt of this run. */
export type EarlierAttempt =
  | Exclude<RecordSearch, { readonly kind: 'records' }>
  /** No store has a record of this step that its API key signed. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'found';
      /** Another use of the action may have written this record. Its job is not resumed then. */
      readonly record: JobRecord;
      /** The job as this step polls it. */
      readonly started: PolledJob;
      /** `undefined` if the API does not know the job any more. */
      readonly progress: ReadProgress | undefined;
    };

/** The outcome of the search for records of earlier attempts. */
type RecordSearch =
  /** This is the first attempt, or nothing is to be resumed. */
  | { readonly kind: 'not-searched' }
  /** This run has no store of records: neither a comment nor a cache. */
  | { readonly kind: 'no-store' }
  | {
      readonly kind: 'records';
      /** The last record with the step's own prompt, or else the last one with the same template. */
      readonly own: JobRecord | undefined;
      /** Records of other prompts that were sent in later attempts than `own`, the oldest first. */
      readonly others: readonly JobRecord[];
    };

/**
 * Finds the job of the event's pull request, if the inputs ask for that; `undefined` if none is known.
 * @throws ActionError if the event is not about a pull request, or if GitHub or the API does not tell
 */
export async function findPullRequestOfEvent(
  request: Request,
  deps: RunDeps,
): Promise<EarlierPullRequest | undefined> {
  if (request.inputs.job.kind !== 'of-pull-request') {
    return undefined;
  }
  const { repository, eventName } = deps.runner.environment;
  const { thread } = request.access.event;
  if (thread === undefined) {
    throw inputError(
      'job-id',
      `is "from-pull-request", but the event ${eventName} is not about a pull request`,
      'use it on issue_comment or on an event of pull requests, or give the id of a job',
    );
  }
  if (!thread.isPullRequest) {
    return undefined;
  }
  const place = { repository, number: thread.number };
  const proof = await provePullRequest(place, searchIn(repository, request, deps));
  if (proof.kind === 'proven') {
    return proof.pullRequest;
  }
  if (proof.error !== undefined) {
    throw proof.error;
  }
  return undefined;
}

/**
 * Finds the records that earlier attempts left in the comments of the thread and in the cache, if a re-run is
 * to resume a job.
 *
 * @param requestKey see `requestKeyOf`
 * @throws ActionError if there may be a record that cannot be read
 */
export async function findRecords(
  requestKey: string,
  { inputs, access, prompt }: Request,
  { runner, github }: AgentDeps,
): Promise<RecordSearch> {
  const { cache, clock, signal, environment } = runner;
  const { attempt } = environment;
  if (attempt === 1 || inputs.onRerun !== 'resume' || prompt === undefined) {
    return { kind: 'not-searched' };
  }
  const hashes = hashesOf(prompt);
  const ofRequest = prefixOf(requestKey);
  const ofTemplate = `${ofRequest}${hashes.templateHash}-`;
  const ofPrompt = `${ofTemplate}${hashes.promptHash}-`;
  const target = targetOf('job', { access, inputs }, environment);
  const stores = await Promise.all([
    target === undefined || target.token === ''
      ? ({ kind: 'unavailable' } as const)
      : listRecords(target, { session: github.as(target.token), clock, signal }),
    // The cache returns only the newest record with a prefix, so it is asked twice: for our own record, and for any.
    cache.find([ofPrompt, ofTemplate], signal),
    cache.find([ofRequest], signal),
  ]);
  const signed = stores.flatMap((store) => (store.kind === 'ok' ? store.value : []));
  const records = [...new Set(signed)].flatMap(
    (each) => readRecord(each, requestKey, inputs.api.apiKey) ?? [],
  );
  const { own, others } = chooseRecords(records, hashes, attempt);
  const unread = stores.find((store) => store.kind === 'failed');
  if (unread !== undefined) {
    refuseUnread(unread, own, attempt, inputs.label);
  }
  return stores.some(({ kind }) => kind === 'ok')
    ? { kind: 'records', own, others }
    : { kind: 'no-store' };
}

/** @throws ActionError if a store that could not be read may have a later record of this step than `own` */
function refuseUnread(
  { problem, isMissingPermission = false }: Pick<RequestFailure, 'problem' | 'isMissingPermission'>,
  own: JobRecord | undefined,
  attempt: number,
  label: string,
): void {
  // No record is later than one of the last attempt, and a token that lacks the permission has probably written none.
  if (own !== undefined && (own.attempt === attempt - 1 || isMissingPermission)) {
    return;
  }
  const mend = isMissingPermission
    ? `give github-token ${commentPermission}, and re-run the workflow`
    : rerunLater;
  if (own?.isConfirmed !== true) {
    throw new ActionError(
      'earlier-attempt-unknown',
      'nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read',
      `${problem}; ${mend}, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one`,
    );
  }
  // A run that has only the id cannot tell whether the job's end is older than the follow-up.
  const instead = isUnseen(own.followUp)
    ? 'open that job in the dashboard'
    : `run this action with job-id ${own.jobId}${label && ', the same pr-label'} and no prompt`;
  throw new ActionError(
    'earlier-attempt-unknown',
    `nothing was started, because attempt ${own.attempt} has job ${own.jobId}, which may still run, and whether a later attempt started another job could not be read`,
    `${problem}; ${mend}, or ${instead}`,
  );
}

/**
 * Chooses the records that matter to a step, among those of its request. Pure.
 * @param hashes the hashes of the step's prompt
 */
function chooseRecords(
  records: readonly JobRecord[],
  { promptHash, templateHash }: ReturnType<typeof hashesOf>,
  attempt: number,
): Omit<Extract<RecordSearch, { kind: 'records' }>, 'kind'> {
  // Records of this attempt belong to other uses of the action.
  const earlier = records.filter((each) => each.attempt < attempt).toSorted(byAge);
  const own =
    earlier.findLast((each) => each.promptHash === promptHash) ??
    earlier.findLast((each) => each.templateHash === templateHash);
  // In one attempt, other prompts belong to other uses of the action, which do not concern this one.
  const others = earlier.filter((each) => own === undefined || each.attempt > own.attempt);
  return { own, others };
}

/**
 * Reads the jobs that earlier attempts started. This step's own job is resumed unless it ended badly, or the API does
 * not know it. If it is not resumed, the jobs of other prompts are read, too: the prompt may have changed from
 * attempt to attempt.
 *
 * @throws ActionError if a job of another prompt would be resumed, or if a request without a response may have made one
 */
export async function readAttempt(search: RecordSearch, deps: RunDeps): Promise<EarlierAttempt> {
  if (search.kind !== 'records') {
    return search;
  }
  const { own, others } = search;
  if (own?.isConfirmed === false) {
    const what = `attempt ${own.attempt} of this run got no response to its request`;
    throw new ActionError('job-may-exist', what, adviceOnRequest(own.jobId));
  }
  const found = own && (await readRecorded(own, deps));
  if (found !== undefined && isResumed(found)) {
    return found;
  }
  const last = await lastOf(others, deps);
  return found ?? last;
}

/**
 * Reads the jobs that later attempts started with another prompt.
 * @throws ActionError at the first record whose job may exist, or would be resumed
 */
async function lastOf(others: readonly JobRecord[], deps: RunDeps): Promise<EarlierAttempt> {
  let last: EarlierAttempt = { kind: 'none' };
  for (const record of others) {
    if (!record.isConfirmed) {
      throw sentAnother(record, 'and got no response, so a job may exist');
    }
    last = await readRecorded(record, deps);
    if (isResumed(last)) {
      const { now } = statusTraits[last.progress.job.status];
      throw sentAnother(record, `and its job ${record.jobId} ${now}`);
    }
  }
  return last;
}

/**
 * Whether a run resumes the job of an earlier attempt. A job that ended badly is not resumed, because people re-run to
 * get a new job, unless the job ended before the follow-up that the attempt sent.
 */
export function isResumed(
  attempt: EarlierAttempt,
): attempt is EarlierAttempt & { readonly kind: 'found'; readonly progress: ReadProgress } {
  return (
    attempt.kind === 'found' &&
    attempt.progress !== undefined &&
    !statusTraits[attempt.progress.job.status].hasEndedBadly
  );
}

async function readRecorded(
  record: JobRecord,
  deps: RunDeps,
): Promise<EarlierAttempt & { readonly kind: 'found' }> {
  const started = resumed(record, deps.runner.clock);
  const before = beginProgress(undefined, record.followUp);
  try {
    const progress = await pollUntilRead(started, withTimeToRead(deps), before);
    return { kind: 'found', record, started, progress };
  } catch (error) {
    if (hasReason(error, 'job-not-found')) {
      return { kind: 'found', record, started, progress: undefined };
    }
    throw error;
  }
}

/** Finds the pull request that the run is to continue in: the event's pull request, or an open one with the label. */
export async function findPullRequest(
  request: Request,
  ofEvent: EarlierPullRequest | undefined,
  attempt: EarlierAttempt,
  deps: RunDeps,
): Promise<PullRequestSearch> {
  const { job, onOpenPullRequest } = request.inputs;
  const isSought = job.kind === 'new' && onOpenPullRequest !== 'new' && !isResumed(attempt);
  return isSought ? await findOpenPullRequest(request, deps) : { pullRequest: ofEvent, doubts: [] };
}

/**
 * The error of a re-run that finds no record of its own prompt, but the record of another prompt: either the prompt
 * has changed, or another use of the action has the same run, job and step.
 *
 * @param outcome what came of the other prompt; follows a comma
 */
function sentAnother({ attempt, jobId }: JobRecord, outcome: string): ActionError {
  const id = jobId === '' ? 'its id in job-id' : `job-id ${jobId}`;
  return new ActionError(
    'earlier-attempt-unknown',
    `nothing was started, because attempt ${attempt} of this run sent another prompt, ${outcome}`,
    `to wait for that job, start a new run with ${id} and no prompt; to send this prompt, start a new run with it; and if one run uses this action several times, give each use a name of its own in the input matrix`,
  );
}
