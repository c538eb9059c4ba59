import type { Job } from '../../platform/job.ts';

/** Where the step's job comes from. `Prompt` is what the inputs name, and later the text to send. */
export type JobSource<Prompt> =
  | { readonly kind: 'create'; readonly prompt: Prompt }
  | { readonly kind: 'follow-up'; readonly jobId: string; readonly prompt: Prompt }
  | { readonly kind: 'attach'; readonly jobId: string };

/** A job that this step polls. Moments are milliseconds on the monotonic clock. */
export interface StartedJob {
  readonly source: JobSource<unknown>['kind'];
  readonly id: string;
  /** The job as the API returned it at the start; an attached job was not seen yet. */
  readonly job?: Job;
  /** The job as it was before a follow-up. */
  readonly before?: Job;
  /** When it was started, or first polled. */
  readonly sinceMs: number;
  /** When the waiting time is over. */
  readonly deadlineMs: number;
}
