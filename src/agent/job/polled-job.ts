import type { Clock } from '../../runner/clock.ts';

/** A job that this step polls. Times are milliseconds on the monotonic clock. */
export interface PolledJob {
  /** Where the job comes from, as the output `job-source` names it. */
  readonly source: 'created' | 'resumed' | 'followed-up' | 'attached';
  readonly id: string;
  /** When this step or an earlier attempt sent the request that the job works on. */
  readonly sentMs: number;
  /** When this step started the job, or first polled it. */
  readonly sinceMs: number;
}

/** A job that this step reads or waits for, without having sent anything. */
export function attachedTo(jobId: string, clock: Clock): PolledJob {
  const nowMs = clock.nowMs();
  return { source: 'attached', id: jobId, sentMs: nowMs, sinceMs: nowMs };
}
