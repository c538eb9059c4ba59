import { createHash } from 'node:crypto';
import { isIdentifier } from '../../platform/identifier.ts';

/** What a step leaves behind for re-runs of itself. */
export interface JobRecord {
  /** Id of the run. */
  readonly runId: string;
  /** The attempt that sent the request. */
  readonly attempt: number;
  readonly sent: 'create' | 'follow-up';
  /** Empty where a job may have been created, but no response told its id. */
  readonly jobId: string;
  /** Whether the API confirmed the request. If not, it may have arrived all the same. */
  readonly isConfirmed: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly sentAtMs: number;
  /** Identifies the prompt; see `hashOfPrompt`. */
  readonly promptHash: string;
}

/** Enough to tell prompts apart. Nothing depends on it but a notice. */
const hashLength = 12;

/** @param sha256 of the prompt, in hexadecimal digits */
export function hashOfPrompt(sha256: string): string {
  return sha256.slice(0, hashLength);
}

/** Separates the fields; no identifier contains it. */
const separator = '~';

/** A record as one word, which fits into a comment's marker and into the key of a cache entry. */
export function writeRecord(record: JobRecord): string {
  const { runId, attempt, sent, jobId, isConfirmed, sentAtMs, promptHash } = record;
  const state = isConfirmed ? 'confirmed' : 'unconfirmed';
  return [runId, attempt, sent, state, jobId, Math.round(sentAtMs), promptHash].join(separator);
}

const pattern =
  /^(\d{1,40})~(\d{1,15})~(create|follow-up)~(confirmed|unconfirmed)~([\w.:-]{0,200})~(\d{1,15})~([\da-f]{12})$/;

/** `undefined` for anything that `writeRecord` does not write. */
export function readRecord(text: string): JobRecord | undefined {
  const [, runId = '', attempt, sent, state, jobId = '', sentAtMs, promptHash = ''] =
    pattern.exec(text) ?? [];
  const isConfirmed = state === 'confirmed';
  const isUsable = isConfirmed ? isIdentifier(jobId) : jobId === '' || isIdentifier(jobId);
  return runId === '' || !isUsable
    ? undefined
    : {
        runId,
        attempt: Number(attempt),
        sent: sent === 'create' ? 'create' : 'follow-up',
        jobId,
        isConfirmed,
        sentAtMs: Number(sentAtMs),
        promptHash,
      };
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

/** Identifies a step of one run, over all its attempts. */
export function hashOfStep(identity: StepIdentity): string {
  const { repository, runId, job, step, projectId, matrix } = identity;
  const text = JSON.stringify([repository.toLowerCase(), runId, job, step, projectId, matrix]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Of records of one run the one that was sent last, as far as they can be read. */
export function latestOf(texts: readonly string[], runId: string): JobRecord | undefined {
  return texts
    .map(readRecord)
    .filter((record) => record !== undefined)
    .filter((record) => record.runId === runId)
    .toSorted((a, b) => a.attempt - b.attempt || a.sentAtMs - b.sentAtMs)
    .at(-1);
}
