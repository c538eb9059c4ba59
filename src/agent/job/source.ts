import type { Job } from '../../platform/job.ts';

/** Where the step's job comes from. `Prompt` is first the prompt's source, and later its text. */
export type JobSource<Prompt> = AskedSource<Prompt> | Resume;

/** What the inputs ask for. */
export type AskedSource<Prompt> =
  | { readonly kind: 'create'; readonly prompt: Prompt }
  | { readonly kind: 'follow-up'; readonly jobId: string; readonly prompt: Prompt }
  | { readonly kind: 'attach'; readonly jobId: string };

/** A re-run continues the job of an earlier attempt. */
export interface Resume {
  readonly kind: 'resume';
  readonly job: Job;
  /** What the earlier attempt sent. */
  readonly sent: 'create' | 'follow-up';
  /** How long ago it sent that. */
  readonly ageMs: number;
}

export type JobSourceKind = JobSource<unknown>['kind'];

/** A job that this step polls. Times are milliseconds on the monotonic clock. */
export interface StartedJob {
  readonly source: JobSourceKind;
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
