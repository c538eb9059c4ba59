import type { Job } from '../../platform/job.ts';
import type { Clock } from '../../runner/clock.ts';
import type { StateBefore } from './state-before.ts';

/** Where a step's job comes from, as the output `job-source` names it. */
export type JobSource = 'created' | 'resumed' | 'followed-up' | 'attached';

/** A job that this step polls. Times are milliseconds on the monotonic clock. */
export interface StartedJob {
  readonly source: JobSource;
  readonly id: string;
  /** The job as the API returned it at the start; `undefined` if it was not polled yet. */
  readonly job?: Job;
  /** What the job was before the follow-up that this step or an earlier attempt sent. */
  readonly before?: StateBefore | undefined;
  /** Whether an earlier attempt has seen the job active since that follow-up. */
  readonly wasActive?: boolean;
  /** When this step or an earlier attempt sent the request that the job works on. */
  readonly sentMs: number;
  /** When this step started the job, or first polled it. */
  readonly sinceMs: number;
}

/** A job that this step reads or waits for, without having sent anything. */
export function attachedTo(jobId: string, clock: Clock): StartedJob {
  const nowMs = clock.nowMs();
  return { source: 'attached', id: jobId, sentMs: nowMs, sinceMs: nowMs };
}
