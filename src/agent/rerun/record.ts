import { createHash } from 'node:crypto';
import { isIdentifier } from '../../platform/identifier.ts';

/** What a step leaves behind for re-runs of itself. */
export interface JobRecord {
  /** What the step did, and which step it was; see `subjectOf`. */
  readonly subject: string;
  /** The attempt that sent the request. */
  readonly attempt: number;
  /** Empty where a job may have been created, but no response told its id. */
  readonly jobId: string;
  /**
   * What was sent. A step that was asked for a new job may have sent a follow-up, to continue in an open
   * pull request; its re-runs look for what they are asked for, which is a new job.
   */
  readonly sent: SentRequest['kind'];
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

/** A request that starts work, as a later attempt would send it again. */
export type SentRequest =
  | { readonly kind: 'create' }
  | { readonly kind: 'follow-up'; readonly jobId: string };

/**
 * Identifies what a step of one run sent, over all its attempts: a new job, or a follow-up to a
 * certain job. An earlier step may give another job to follow up on in each attempt.
 */
export function subjectOf(identity: StepIdentity, sent: SentRequest): string {
  const { repository, runId, job, step, projectId, matrix } = identity;
  const text = JSON.stringify([repository.toLowerCase(), runId, job, step, projectId, matrix]);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return [hash, sent.kind, sent.kind === 'create' ? '' : sent.jobId].join(separator);
}

/** What every record about a subject begins with. */
export function beginningOf(subject: string): string {
  return subject + separator;
}

/** A record as one word, which fits into a comment's marker and into the key of a cache entry. */
export function writeRecord(record: JobRecord): string {
  const { subject, attempt, jobId, sent, isConfirmed, sentAtMs, promptHash } = record;
  const confirmed = sent === kindIn(subject) ? 'confirmed' : 'continued';
  const state = isConfirmed ? confirmed : 'unconfirmed';
  return [subject, attempt, state, jobId, Math.round(sentAtMs), promptHash].join(separator);
}

const pattern =
  /^([\da-f]{32}~(?:create~|follow-up~[\w.:-]{1,200}))~(\d{1,15})~(confirmed|continued|unconfirmed)~([\w.:-]{0,200})~(\d{1,15})~([\da-f]{12})$/;

/** `undefined` for anything that `writeRecord` does not write. */
export function readRecord(text: string): JobRecord | undefined {
  const [, subject = '', attempt, state, jobId = '', sentAtMs, promptHash = ''] =
    pattern.exec(text) ?? [];
  const isConfirmed = state !== 'unconfirmed';
  const isUsable = isIdentifier(jobId) || (jobId === '' && !isConfirmed);
  return subject === '' || !isUsable
    ? undefined
    : {
        subject,
        attempt: Number(attempt),
        jobId,
        sent: sentIn(subject, state, jobId),
        isConfirmed,
        sentAtMs: Number(sentAtMs),
        promptHash,
      };
}

function kindIn(subject: string): SentRequest['kind'] {
  return subject.split(separator)[1] === 'create' ? 'create' : 'follow-up';
}

/** Only a follow-up has a job's id before the API has confirmed it. */
function sentIn(subject: string, state = '', jobId = ''): SentRequest['kind'] {
  const isFollowUp = state === 'continued' || (state === 'unconfirmed' && jobId !== '');
  return isFollowUp ? 'follow-up' : kindIn(subject);
}

/** Of the records about a subject the one that was sent last, as far as they can be read. */
export function latestOf(texts: readonly string[], subject: string): JobRecord | undefined {
  return texts
    .map(readRecord)
    .filter((record) => record !== undefined)
    .filter((record) => record.subject === subject)
    .toSorted((a, b) => a.attempt - b.attempt || a.sentAtMs - b.sentAtMs)
    .at(-1);
}
