import type { Job } from '../../platform/job.ts';
import type { ActionError } from '../../text/error.ts';

/** Receives the results of the polls. */
export interface PollObserver {
  /** A poll returned the job. */
  polled(job: Job, waitedMs: number): void;
  /** A delay starts. */
  waiting(
    job: Job | undefined,
    waitedMs: number,
    delayMs: number,
    /** Why the last poll failed, if it did: a main clause. */
    problem: string | undefined,
  ): void;
  /** A poll failed and will be repeated. */
  pollFailed(error: ActionError): void;
}
