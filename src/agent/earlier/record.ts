import { jobStatuses } from '../../platform/job.ts';
import type { Clock } from '../../runner/clock.ts';
import type { Environment } from '../../runner/environment.ts';
import type { Runner } from '../../runner/runner.ts';
import { sealPrefix, sign, verify } from '../../text/seal.ts';
import { sha256 } from '../../text/sha256.ts';
import { type FollowUp, followUpOf, isUnseen } from '../job/follow-up.ts';
import type { PolledJob } from '../job/polled-job.ts';
import type { Progress } from '../job/progress.ts';
import type { Send } from '../job/start.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Request } from '../request.ts';

/*
 * A step saves the record of its job in two stores, its comment and the cache, if the run has them. One store makes up
 * for the other: people delete comments, runs that overlap overwrite each other's comments, and the cache is read-only
 * for some events and missing on some servers.
 */

/** What an attempt of a run leaves behind, so that a re-run does not start a second job. */
export interface JobRecord {
  /** Identifies what was asked for; see `requestKeyOf`. */
  readonly requestKey: string;
  /** The attempt that sent the request. */
  readonly attempt: number;
  /** Empty if a job may have been created, but no response has named it. */
  readonly jobId: string;
  /**
   * The follow-up that was sent; `undefined` for a new job. With `on-open-pr: continue`, a step that was asked for a
   * new job may have sent a follow-up. Its record has the request key of a new job, because re-runs search for that.
   */
  readonly followUp: FollowUp | undefined;
  /** Whether the API confirmed the request. A request that was not confirmed may have arrived all the same. */
  readonly isConfirmed: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly sentAtMs: number;
  /** The beginning of the prompt's hash, to tell prompts apart. */
  readonly promptHash: string;
  /** The beginning of the hash of the prompt before its placeholders were replaced. */
  readonly templateHash: string;
}

/**
 * Identifies what a step of one run was asked to send, over all its attempts: a new job, or a follow-up to
 * a certain job. An earlier step may give another job to follow up on in each attempt. A run's id is unique
 * on its server, so the repository, which can be renamed, is no part of it.
 *
 * @param jobOfEvent the id of the job that opened the event's pull request; empty if no job did
 */
export function requestKeyOf(
  { inputs: { job: asked, api }, access }: Pick<Request, 'inputs' | 'access'>,
  jobOfEvent: string,
  { runId, job, step }: Pick<Environment, 'runId' | 'job' | 'step'>,
): string {
  const id = asked.kind === 'id' ? asked.id : '';
  const jobId = asked.kind === 'of-pull-request' ? jobOfEvent : id;
  const parts = [runId, job, step, api.projectId, access.inputs.matrix, jobId];
  return sha256(JSON.stringify(parts), 32);
}

/** In digits: they tell the prompts of one run apart, and a longer hash would make a record too long. */
const hashLength = 12;

/** The beginnings of the hashes of a prompt, as a record has them. */
export function hashesOf(prompt: Prompt): Pick<JobRecord, 'promptHash' | 'templateHash'> {
  return {
    promptHash: prompt.sha256.slice(0, hashLength),
    templateHash: prompt.templateSha256.slice(0, hashLength),
  };
}

/** The record of a request that is about to be sent. It stays like this if no response comes. */
export function unconfirmedRecord(
  send: Send,
  requestKey: string,
  { clock, environment: { attempt } }: Pick<Runner, 'clock' | 'environment'>,
): JobRecord {
  return {
    requestKey,
    attempt,
    jobId: send.kind === 'follow-up' ? send.before.id : '',
    followUp: send.kind === 'follow-up' ? followUpOf(send.before, send.headSha) : undefined,
    isConfirmed: false,
    sentAtMs: clock.epochMs(),
    ...hashesOf(send.prompt),
  };
}

/** The record of a request that the API has accepted. */
export function confirmedRecord(
  record: JobRecord,
  { id, sentMs }: PolledJob,
  clock: Clock,
): JobRecord {
  const sentAtMs = clock.epochMs() - (clock.nowMs() - sentMs);
  return { ...record, jobId: id, isConfirmed: true, sentAtMs };
}

/** The record with what the polls have shown; `undefined` if there is no record. */
export function recordAfter(record: JobRecord | undefined, { followUp }: Progress) {
  const isNews = record !== undefined && isUnseen(record.followUp) && followUp?.wasActive === true;
  return isNews ? { ...record, followUp } : record;
}

/** The job of a record, before this step has read it. */
export function resumed({ jobId: id, sentAtMs }: JobRecord, clock: Clock): PolledJob {
  const sinceMs = clock.nowMs();
  const ageMs = Math.max(clock.epochMs() - sentAtMs, 0);
  return { source: 'resumed', id, sentMs: sinceMs - ageMs, sinceMs };
}

/** The id of the prompt that was sent, the same in all attempts that resume its job. Later prompts have larger ids. */
export function promptIdOf({ requestKey, sentAtMs }: JobRecord): string {
  return `${Math.round(sentAtMs).toString(36).padStart(9, '0')}.${requestKey.slice(0, 8)}`;
}

/** Sorts records by when their prompts were sent, and the records of one prompt by how much they know. */
export function byAge(one: JobRecord, other: JobRecord): number {
  return (
    one.attempt - other.attempt ||
    one.sentAtMs - other.sentAtMs ||
    Number(one.followUp?.wasActive === true) - Number(other.followUp?.wasActive === true)
  );
}

/**
 * Writes a record as one word that only the holder of the API key can write. The word fits into the key of a cache
 * entry, which has at most 512 characters, whatever the job's id is.
 *
 * The cache finds only the newest of the entries whose keys begin alike. So the request comes first, then the hash of
 * the template, then the hash of the prompt: a re-run asks for the record of its very prompt, then for a record of the
 * same template, and then for the newest record of the request. Once the job of a follow-up was seen active, a second
 * record is saved after the first one, so that the second is the newest.
 */
export function signRecord(record: JobRecord, apiKey: string): string {
  const { templateHash, promptHash, attempt, isConfirmed, sentAtMs, jobId, followUp } = record;
  const hexId = Buffer.from(jobId).toString('hex');
  const parts = [templateHash, promptHash, attempt, isConfirmed, Math.round(sentAtMs), hexId];
  if (followUp !== undefined) {
    const { statusBefore = '', linkHash, headSha = '', wasActive } = followUp;
    // The status comes last, because it may have hyphens.
    parts.push(linkHash, headSha, wasActive, statusBefore);
  }
  return sign(prefixOf(record.requestKey) + parts.join('-'), apiKey);
}

/** Reads what `signRecord` wrote; `undefined` if the record is of another request, or another key signed it. */
export function readRecord(
  word: string,
  requestKey: string,
  apiKey: string,
): JobRecord | undefined {
  const prefix = prefixOf(requestKey);
  const text = verify(word, apiKey);
  if (text?.startsWith(prefix) !== true) {
    return undefined;
  }
  const [templateHash = '', promptHash = '', attempt, isConfirmed, sentAtMs, hexId = '', ...rest] =
    text.slice(prefix.length).split('-');
  const [linkHash, headSha, wasActive, ...status] = rest;
  return {
    requestKey,
    attempt: Number(attempt),
    jobId: Buffer.from(hexId, 'hex').toString(),
    followUp:
      linkHash === undefined
        ? undefined
        : {
            statusBefore: jobStatuses.find((each) => each === status.join('-')),
            linkHash,
            headSha: headSha || undefined,
            wasActive: wasActive === 'true',
          },
    isConfirmed: isConfirmed === 'true',
    sentAtMs: Number(sentAtMs),
    promptHash,
    templateHash,
  };
}

/** What all records of a request begin with. */
export function prefixOf(requestKey: string): string {
  return sealPrefix({ purpose: 'record', place: requestKey });
}
