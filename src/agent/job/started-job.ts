import type { Job } from '../../platform/job.ts';
import type { Clock } from '../../runner/clock.ts';

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
  /** The last commit of its pull request before the follow-up that this step sent. */
  readonly headSha?: string;
  /** When the request was sent that the job works on; an earlier attempt may have sent it. */
  readonly sentMs: number;
  /** When this step started it, or first polled it. */
  readonly sinceMs: number;
}

/** A job that this step reads or waits for, without having sent anything. */
export function attachedTo(jobId: string, clock: Clock): StartedJob {
  const nowMs = clock.nowMs();
  return { source: 'attached', id: jobId, sentMs: nowMs, sinceMs: nowMs };
}

/** The job that a record names, before this step has read it. */
export function recorded(
  { jobId, sentAtMs }: { readonly jobId: string; readonly sentAtMs: number },
  clock: Clock,
): StartedJob {
  const nowMs = clock.nowMs();
  const ageMs = Math.max(clock.todayMs() - sentAtMs, 0);
  return { source: 'resumed', id: jobId, sentMs: nowMs - ageMs, sinceMs: nowMs };
}

/** The job that an earlier attempt started, or sent a follow-up to, as this step polls it. */
export function resumed(
  record: Parameters<typeof recorded>[0] & { readonly sent: 'new' | 'follow-up' },
  job: Job,
  clock: Clock,
): StartedJob {
  // How the job was before the follow-up is not known any more. What the API returns now may still be that state.
  const before = record.sent === 'follow-up' && { before: job };
  return { ...recorded(record, clock), job, ...before };
}
