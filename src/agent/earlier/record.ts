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
import { isIdentifier } from '../../platform/identifier.ts';

/** What an attempt of a run leaves behind, so that a re-run does not start a second job. */
export interface JobRecord {
  /** Identifies what was asked for; see `subjectOf`. */
  readonly subject: string;
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
  /** Tells prompts apart; see `hashOfPrompt`. */
  readonly promptHash: string;
}

/** Nothing depends on it but a notice. */
const hashLength = 12;

/** @param sha256 of the prompt, in hexadecimal digits */
export function hashOfPrompt(sha256: string): string {
  return sha256.slice(0, hashLength);
}

/** The step that a record belongs to. */
export interface StepIdentity {
  readonly repository: string;
  readonly runId: string;
  /** Ids of the job and the step inside the workflow. */
  readonly job: string;
  readonly step: string;
  readonly projectId: string;
  /** The matrix of the job as JSON, which tells its legs apart; empty for none. */
  readonly matrix: string;
}

/**
 * Identifies what a step of one run was asked to send, over all its attempts: a new job, or a follow-up to
 * a certain job. An earlier step may give another job to follow up on in each attempt.
 *
 * @param jobId of the job to follow up on; empty for a new one
 */
export function subjectOf(identity: StepIdentity, jobId: string): string {
  const { repository, runId, job, step, projectId, matrix } = identity;
  const parts = [repository.toLowerCase(), runId, job, step, projectId, matrix, jobId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
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

/** A record as a value that can be sealed; its subject stands beside it. */
export function packRecord(record: JobRecord): PackedRecord {
  const { attempt, jobId, sent, isConfirmed, sentAtMs, promptHash } = record;
  return [attempt, jobId, sent, isConfirmed, Math.round(sentAtMs), promptHash];
}

/** Turns a packed record back; `undefined` for one that is confirmed and names no job. */
export function unpackRecord(subject: string, packed: PackedRecord): JobRecord | undefined {
  const [attempt, jobId, sent, isConfirmed, sentAtMs, promptHash] = packed;
  return isConfirmed && jobId === ''
    ? undefined
    : { subject, attempt, jobId, sent, isConfirmed, sentAtMs, promptHash };
}
