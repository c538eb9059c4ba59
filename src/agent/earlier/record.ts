import { createHash } from 'node:crypto';
import {
  boolean,
  check,
  type InferOutput,
  literal,
  number,
  pipe,
  safeInteger,
  strictTuple,
  string,
  union,
} from 'valibot';
import type { RequestFailure } from '../../github/request.ts';
import { isIdentifier } from '../../platform/job.ts';
import type { Cache } from '../../runner/cache.ts';
import type { Environment } from '../../runner/environment.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError } from '../../text/error.ts';
import { createSeals, type SealedFor, sealPrefix } from '../../text/seal.ts';
import type { AgentInputs } from '../inputs.ts';
import type { StartedJob } from '../job/start.ts';
import type { Plan, Request } from '../plan.ts';
import type { AgentDeps, State } from '../state.ts';

/*
 * The record of a step's job is kept where a re-run finds it: in the comment and in the cache, as far as
 * there are any. Each makes up for what can happen to the other: people delete comments, runs that overlap
 * overwrite each other's, and the cache is read-only for some events and missing on some servers.
 */

/** What an attempt of a run leaves behind, so that a re-run does not start a second job. */
export interface JobRecord {
  /** Identifies what was asked for; see `requestKeyOf`. */
  readonly requestKey: string;
  /** The attempt that sent the request. */
  readonly attempt: number;
  /** Empty where a job may have been created, but no response told its id. */
  readonly jobId: string;
  /**
   * What was sent. A step that was asked for a new job may have sent a follow-up, to continue in an open
   * pull request; its re-runs look for what they are asked for, which is a new job.
   */
  readonly sent: 'new' | 'follow-up';
  /** Whether the API confirmed the request. If not, it may have arrived all the same. */
  readonly isConfirmed: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly sentAtMs: number;
  /** The beginning of the prompt's hash, to tell prompts apart. */
  readonly promptHash: string;
}

/**
 * Identifies what a step of one run was asked to send, over all its attempts: a new job, or a follow-up to
 * a certain job. An earlier step may give another job to follow up on in each attempt.
 *
 * @param jobOfEvent the id of the job that opened the event's pull request; empty for none
 * @param matrix the matrix of the job as JSON, which tells its legs apart; empty for none
 */
export function requestKeyOf(
  { job: asked, api }: Pick<AgentInputs, 'job' | 'api'>,
  jobOfEvent: string,
  matrix: string,
  { repository, runId, job, step }: Pick<Environment, 'repository' | 'runId' | 'job' | 'step'>,
): string {
  const id = asked.kind === 'id' ? asked.id : '';
  const jobId = asked.kind === 'of-pull-request' ? jobOfEvent : id;
  const parts = [repository.toLowerCase(), runId, job, step, api.projectId, matrix, jobId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/**
 * The record of what a step sent; `undefined` for one that only waits. To wait for a job again costs
 * nothing, so its re-run needs no record.
 *
 * @param started `undefined` if the request got no response, and may have arrived all the same
 */
export function recordOf(
  plan: Plan,
  started: StartedJob | undefined,
  requestKey: string,
  { promptHash }: Pick<Request, 'promptHash'>,
  { clock, environment: { attempt } }: Pick<Runner, 'clock' | 'environment'>,
): JobRecord | undefined {
  if (plan.kind !== 'new' && plan.kind !== 'continue') {
    return undefined;
  }
  const isFollowUp = plan.kind === 'continue';
  return {
    requestKey,
    attempt,
    jobId: started?.id ?? (isFollowUp ? plan.jobId : ''),
    sent: isFollowUp ? 'follow-up' : 'new',
    isConfirmed: started !== undefined,
    sentAtMs: clock.todayMs() - (started === undefined ? 0 : clock.nowMs() - started.sentMs),
    promptHash,
  };
}

const safeNumber = pipe(number(), safeInteger());

/** A record without names, because the key of a cache entry has 512 characters. */
export const packedRecord = strictTuple([
  safeNumber,
  union([literal(''), pipe(string(), check(isIdentifier))]),
  union([literal('new'), literal('follow-up')]),
  boolean(),
  safeNumber,
  string(),
]);

type PackedRecord = InferOutput<typeof packedRecord>;

/** A record as a value that can be sealed; its requestKey stands beside it. */
export function packRecord(record: JobRecord): PackedRecord {
  const { attempt, jobId, sent, isConfirmed, sentAtMs, promptHash } = record;
  return [attempt, jobId, sent, isConfirmed, Math.round(sentAtMs), promptHash];
}

/** Turns a packed record back. */
export function unpackRecord(requestKey: string, packed: PackedRecord): JobRecord {
  const [attempt, jobId, sent, isConfirmed, sentAtMs, promptHash] = packed;
  return { requestKey, attempt, jobId, sent, isConfirmed, sentAtMs, promptHash };
}

/** The record of an earlier attempt, as far as one could be found. */
export type RecordSearch =
  | { readonly kind: 'found'; readonly record: JobRecord }
  | { readonly kind: 'none' }
  /** Something claims to be this step's record, and its signature is not ours. */
  | { readonly kind: 'forged' }
  /** There is no place where a record would surely be found: neither a comment nor the cache can be read. */
  | { readonly kind: 'no-store' };

/** What one of the two places holds. */
export type Place =
  | {
      readonly kind: 'read';
      readonly records: readonly JobRecord[];
      /** Whether something there claims to be this step's, and its signature is not ours. */
      readonly hasForged: boolean;
    }
  | { readonly kind: 'absent' | 'refused' }
  /** `problem` is a main clause. */
  | { readonly kind: 'unanswered'; readonly problem: string };

/** The step's comment, as far as it keeps records. */
export interface RecordComment {
  /**
   * Finds what steps have left in the comments of the thread; `absent` when the run writes none.
   * @throws the signal's reason
   */
  findRecords(state: State, signal: AbortSignal): Promise<Place>;
  /**
   * Shows a job that has not ended, in the background of the run. Never rejects.
   * @returns whether the comment was written; `later` if it may still be when the step ends
   */
  showWorking(state: State): Promise<Shown>;
}

type Shown = 'written' | 'not-written' | 'later';

/** The comment is optional, so the step waits no longer than this for it, all retries included. */
const limitMs = 10_000;

/** A cancelled step has to end within 2 s in total. */
const stoppedLimitMs = 1500;

/** What the places of a record need. */
export interface RecordDeps extends AgentDeps {
  readonly comment: RecordComment;
}

/**
 * Finds the record of the last attempt before this one.
 *
 * @param requestKey see `requestKeyOf`
 * @throws ActionError if there may be a record that cannot be read
 */
export async function findRecord(
  requestKey: string,
  apiKey: string,
  { comment, state, runner: { cache, signal, environment } }: RecordDeps,
): Promise<RecordSearch> {
  const where = sealedFor(requestKey);
  const [inComment, inCache] = await Promise.all([
    comment.findRecords(state.current, signal),
    cache.find(sealPrefix(where), signal),
  ]);
  const places = [inComment, readCache(inCache, where, apiKey)];
  const unanswered = places.find((place) => place.kind === 'unanswered');
  const read = places.filter((place) => place.kind === 'read');
  const record = read
    .flatMap(({ records }) => records)
    .filter((each) => each.requestKey === requestKey)
    .toSorted((a, b) => a.attempt - b.attempt || a.sentAtMs - b.sentAtMs)
    .at(-1);
  // The latest record wins, so a place that was not read matters, unless nothing can be later.
  if (unanswered !== undefined && record?.attempt !== environment.attempt - 1) {
    throw new ActionError(
      'earlier-attempt-unknown',
      'nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read',
      `${unanswered.problem}; re-run the workflow later, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one`,
    );
  }
  if (record !== undefined) {
    return { kind: 'found', record };
  }
  if (read.length === 0 || places.some(({ kind }) => kind === 'refused')) {
    return { kind: 'no-store' };
  }
  return { kind: read.some(({ hasForged }) => hasForged) ? 'forged' : 'none' };
}

/** The comments, where GitHub did not list them. */
export function unreadPlace({ isRefusal, status, problem }: RequestFailure): Place {
  // The earlier attempt most likely got the same refusal, unless it is a limit or an expired token.
  const isLasting = isRefusal && status !== 401 && status !== 429 && !/rate limit/i.test(problem);
  return isLasting ? { kind: 'refused' } : { kind: 'unanswered', problem };
}

function readCache(
  search: Awaited<ReturnType<Cache['find']>>,
  where: SealedFor,
  apiKey: string,
): Place {
  switch (search.kind) {
    case 'unavailable':
      return { kind: 'absent' };
    case 'failed':
      return { kind: 'unanswered', problem: search.problem };
    case 'none':
      return { kind: 'read', records: [], hasForged: false };
    case 'found': {
      const packed = createSeals(apiKey).unseal(packedRecord, search.key, where);
      const records = packed === undefined ? [] : [unpackRecord(where.place, packed)];
      return { kind: 'read', records, hasForged: packed === undefined };
    }
  }
}

/** Shows the job in the comment, which also keeps the state's record. Never rejects. */
export async function showInTime(
  state: State,
  comment: RecordComment,
  runner: Runner,
): Promise<Shown> {
  return (await inTime(comment.showWorking(state), runner)) ?? 'later';
}

/**
 * Saves a record in the cache, and warns if a re-run will not find it. Never rejects.
 * @param shown whether the comment has it
 * @returns whether a re-run will find it; nothing if the comment will have it once the step ends
 */
export async function saveRecord(
  record: JobRecord,
  shown: Promise<Shown>,
  { onRerun, api }: Pick<AgentInputs, 'onRerun' | 'api'>,
  runner: Runner,
): Promise<Pick<State, 'isResumable'>> {
  const { cache, log } = runner;
  const key = createSeals(api.apiKey).seal(packRecord(record), sealedFor(record.requestKey));
  const [inComment, inCache] = await Promise.all([
    shown,
    cache
      .save(key, graceAfter(runner))
      .catch(() => ({ kind: 'failed', problem: 'the run was cancelled' }) as const),
  ]);
  if (inComment === 'written' || inCache.kind === 'saved') {
    return { isResumable: true };
  }
  if (inComment === 'later') {
    return {};
  }
  if (inCache.kind === 'unavailable') {
    log.debug('There is neither a comment nor a cache service to keep the record of the job.');
  } else if (onRerun === 'resume') {
    const job = record.jobId === '' ? 'a job that may exist' : `job ${record.jobId}`;
    const again = record.sent === 'new' ? 'start a second job' : 'send the follow-up again';
    log.warning(
      `The record of ${job} could not be saved, because ${inCache.problem}: a re-run of this workflow would ${again}.`,
    );
  }
  return { isResumable: false };
}

function sealedFor(requestKey: string): SealedFor {
  return { purpose: 'record', place: requestKey };
}

/** A signal that leaves a cancelled step a moment to save what it can. */
function graceAfter({ signal, clock }: Pick<Runner, 'signal' | 'clock'>): AbortSignal {
  const limit = new AbortController();
  const end = async () => {
    await clock.sleep(stoppedLimitMs, new AbortController().signal);
    limit.abort();
  };
  if (signal.aborted) {
    void end();
  } else {
    signal.addEventListener('abort', () => void end(), { once: true });
  }
  return limit.signal;
}

/**
 * Waits for something that the comment needs, but no longer than that is worth.
 * @returns `undefined` when the time is over
 */
export async function inTime<Outcome>(
  writing: Promise<Outcome>,
  runner: Pick<Runner, 'signal' | 'clock'>,
): Promise<Outcome | undefined> {
  const done = new AbortController();
  const limit = AbortSignal.any([graceAfter(runner), done.signal]);
  const timeOver = runner.clock.sleep(limitMs, limit).then(
    () => undefined,
    () => undefined,
  );
  const outcome = await Promise.race([writing, timeOver]);
  done.abort();
  return outcome;
}
