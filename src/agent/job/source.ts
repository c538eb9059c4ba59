import type { Job } from '../../platform/job.ts';

/** Where the step's job comes from. `Prompt` is first the prompt's source, and later its text. */
export type JobSource<Prompt> =
  | { readonly kind: 'create'; readonly prompt: Prompt }
  | { readonly kind: 'follow-up'; readonly jobId: string; readonly prompt: Prompt }
  | { readonly kind: 'attach'; readonly jobId: string };

/** A job that this step polls. Times are milliseconds on the monotonic clock. */
export interface StartedJob {
  readonly source: JobSource<unknown>['kind'];
  readonly id: string;
  /** The job as the API returned it at the start; `undefined` if it was not polled yet. */
  readonly job?: Job;
  /** The job as it was before the follow-up. */
  readonly before?: Job;
  /** When the job was started or first polled. */
  readonly sinceMs: number;
  /** When the waiting time is over. */
  readonly deadlineMs: number;
}
