import type { Job } from '../../platform/job.ts';

/** Where a step's job comes from, as the output `job-source` names it. */
export type JobSource = 'created' | 'resumed' | 'followed-up' | 'attached';

/** A job that this step polls. Times are milliseconds on the monotonic clock. */
export interface StartedJob {
  readonly source: JobSource;
  readonly id: string;
  /** The job as the API returned it at the start; `undefined` if it was not polled yet. */
  readonly job?: Job;
  /** The job as it was before the follow-up. */
  readonly before?: Job;
  /** When the request was sent that the job works on; an earlier attempt may have sent it. */
  readonly sentMs: number;
  /** When this step started it, or first polled it. */
  readonly sinceMs: number;
  /** When the waiting time is over. */
  readonly deadlineMs: number;
}

/** A job that somebody else started, to be polled from now on. */
export function attachTo(id: string, nowMs: number, waitMs: number): StartedJob {
  return { source: 'attached', id, sentMs: nowMs, sinceMs: nowMs, deadlineMs: nowMs + waitMs };
}
