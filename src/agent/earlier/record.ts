import { createHash } from 'node:crypto';
import type { RequestFailure } from '../../github/request.ts';
import type { Cache } from '../../runner/cache.ts';
import type { Environment } from '../../runner/environment.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError } from '../../text/error.ts';
import { createSeals, sealPrefix } from '../../text/seal.ts';
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
  /** The same of the prompt before its placeholders were replaced. */
  readonly templateHash: string;
}

/**
 * Identifies what a step of one run was asked to send, over all its attempts: a new job, or a follow-up to
 * a certain job. An earlier step may give another job to follow up on in each attempt.
 *
 * @param jobOfEvent the id of the job that opened the event's pull request; empty for none
 * @param matrix what the input `matrix` says
 */
export function requestKeyOf(
  { job: asked, api }: Pick<AgentInputs, 'job' | 'api'>,
  jobOfEvent: string,
  matrix: string,
  {
    repositoryId,
    repository,
    runId,
    job,
    step,
  }: Pick<Environment, 'repositoryId' | 'repository' | 'runId' | 'job' | 'step'>,
): string {
  const id = asked.kind === 'id' ? asked.id : '';
  const jobId = asked.kind === 'of-pull-request' ? jobOfEvent : id;
  const parts = [
    repositoryId || repository.toLowerCase(),
    runId,
    job,
    step,
    api.projectId,
    matrix,
    jobId,
  ];
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
  { promptHash, templateHash }: Pick<Request, 'promptHash' | 'templateHash'>,
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
    templateHash,
  };
}

/**
 * A record as one word that only the holder of the API key can have written. It fits into the key of a cache
 * entry, which has at most 512 characters, whatever the job's id is.
 */
export function signRecord(record: JobRecord, apiKey: string): string {
  const { templateHash, promptHash, attempt, sent, isConfirmed, sentAtMs, jobId } = record;
  const parts = [
    templateHash,
    promptHash,
    attempt,
    sent === 'new' ? 'new' : 'followup',
    isConfirmed ? 'confirmed' : 'unconfirmed',
    Math.round(sentAtMs),
    toBase36(jobId),
  ];
  return createSeals(apiKey).sign(prefixOf(record.requestKey) + parts.join('-'));
}

/** Reads such a word; `undefined` if it is no record of this request, or was signed with another key. */
function readRecord(word: string, requestKey: string, apiKey: string): JobRecord | undefined {
  const prefix = prefixOf(requestKey);
  const text = createSeals(apiKey).verify(word);
  const parts = text?.startsWith(prefix) === true ? text.slice(prefix.length).split('-') : [];
  const [templateHash = '', promptHash = '', attempt, sent, confirmed, sentAtMs, jobId] = parts;
  return jobId === undefined
    ? undefined
    : {
        requestKey,
        attempt: Number(attempt),
        jobId: fromBase36(jobId),
        sent: sent === 'new' ? 'new' : 'follow-up',
        isConfirmed: confirmed === 'confirmed',
        sentAtMs: Number(sentAtMs),
        promptHash,
        templateHash,
      };
}

/** What all records of a request begin with. */
function prefixOf(requestKey: string): string {
  return sealPrefix({ purpose: 'record', place: requestKey });
}

/** Text in letters of one case and digits, with fewer of them than as hexadecimal digits. */
function toBase36(text: string): string {
  // The first byte keeps zeros behind it.
  return BigInt(`0x01${Buffer.from(text).toString('hex')}`).toString(36);
}

function fromBase36(word: string): string {
  const digits = [...word].map((digit) => BigInt(Number.parseInt(digit, 36)));
  const number = digits.reduce((sum, digit) => sum * 36n + digit, 0n);
  return Buffer.from(number.toString(16).slice(1), 'hex').toString();
}

/** The record of an earlier attempt, as far as one could be found. */
export type RecordSearch =
  | {
      readonly kind: 'found';
      readonly record: JobRecord;
      /** Whether it has the step's own prompt, as it was sent, or before its placeholders were replaced. */
      readonly isOwn: boolean;
    }
  | { readonly kind: 'none' }
  /** Something claims to be this step's record, and its signature is not ours. */
  | { readonly kind: 'forged' }
  /** There is no place where a record would surely be found: neither a comment nor the cache can be read. */
  | { readonly kind: 'no-store' };

/** What one of the two places holds. */
export type Place =
  | {
      readonly kind: 'read';
      /** Signed records, of this step and of others. */
      readonly words: readonly string[];
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
 * Finds the record of the last attempt before this one. Several uses of the action can share run, job and
 * step, so one with the step's own prompt comes first.
 *
 * @param requestKey see `requestKeyOf`
 * @throws ActionError if there may be a record that cannot be read
 */
export async function findRecord(
  requestKey: string,
  { inputs: { api }, promptHash, templateHash }: Request,
  { comment, state, runner: { cache, signal, environment } }: RecordDeps,
): Promise<RecordSearch> {
  const prefix = prefixOf(requestKey);
  const ownTemplate = `${prefix}${templateHash}-`;
  const [inComment, inCache] = await Promise.all([
    comment.findRecords(state.current, signal),
    // The cache only tells the newest entry with a prefix.
    cache.find([`${ownTemplate}${promptHash}-`, ownTemplate, prefix], signal),
  ]);
  const read = (word: string) => readRecord(word, requestKey, api.apiKey);
  const places = [inComment, placeOf(inCache, read)];
  const unanswered = places.find((place) => place.kind === 'unanswered');
  const answered = places.filter((place) => place.kind === 'read');
  const records = answered
    .flatMap(({ words }) => words)
    .flatMap((word) => read(word) ?? [])
    .toSorted((a, b) => a.attempt - b.attempt || a.sentAtMs - b.sentAtMs);
  const own =
    records.findLast((each) => each.promptHash === promptHash) ??
    records.findLast((each) => each.templateHash === templateHash);
  // The latest record wins, so a place that was not read matters, unless nothing can be later.
  if (unanswered !== undefined && own?.attempt !== environment.attempt - 1) {
    throw new ActionError(
      'earlier-attempt-unknown',
      'nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read',
      `${unanswered.problem}; re-run the workflow later, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one`,
    );
  }
  const record = own ?? records.at(-1);
  if (record !== undefined) {
    return { kind: 'found', record, isOwn: own !== undefined };
  }
  if (answered.length === 0 || places.some(({ kind }) => kind === 'refused')) {
    return { kind: 'no-store' };
  }
  return { kind: answered.some(({ hasForged }) => hasForged) ? 'forged' : 'none' };
}

/** The comments, where GitHub did not list them. */
export function unreadPlace({ status, problem }: RequestFailure): Place {
  // A token without the permission had none in the earlier attempt either. Any other refusal may be new.
  const isLasting = status === 403 && problem.includes('Resource not accessible by');
  return isLasting ? { kind: 'refused' } : { kind: 'unanswered', problem };
}

function placeOf(
  search: Awaited<ReturnType<Cache['find']>>,
  read: (word: string) => JobRecord | undefined,
): Place {
  switch (search.kind) {
    case 'unavailable':
      return { kind: 'absent' };
    case 'failed':
      return { kind: 'unanswered', problem: search.problem };
    case 'none':
      return { kind: 'read', words: [], hasForged: false };
    case 'found':
      return { kind: 'read', words: [search.key], hasForged: read(search.key) === undefined };
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
  const [inComment, inCache] = await Promise.all([
    shown,
    cache
      .save(signRecord(record, api.apiKey), graceAfter(runner))
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
