import type { Job, JobStatus } from '../../platform/job.ts';
import type { Clock } from '../../runner/clock.ts';
import type { Log } from '../../runner/log.ts';
import { ActionError, hasReason } from '../../text/error.ts';
import type { AskedSource, JobSource, StartedJob } from '../job/source.ts';
import type { JobRecord } from './record.ts';
import type { RecordSearch } from './record-store.ts';

export interface ResumeDeps {
  /** Called as soon as it is clear that this step is about the job of a record. */
  readonly onRecord: (record: JobRecord) => void;
  /** @throws ActionError, CancelledError */
  readonly readJob: (attached: StartedJob) => Promise<Job>;
  readonly promptHash: string;
  readonly waitMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'notice' | 'warning'>;
}

/**
 * Decides whether a re-run continues the job of an earlier attempt, or starts its own. A job that
 * failed or was archived is no reason to go on: that is why people press the button.
 *
 * @throws ActionError when this cannot be found out
 * @throws ActionError when an earlier attempt got no response to its request
 * @throws ActionError when the job of the earlier attempt cannot be read
 */
export async function resumeJob(
  asked: AskedSource<string>,
  search: RecordSearch,
  deps: ResumeDeps,
): Promise<JobSource<string>> {
  const record = recordIn(search, deps);
  if (record === undefined || asked.kind === 'attach') {
    return asked;
  }
  if (!record.isConfirmed) {
    throw mayExist(record);
  }
  const ageMs = Math.max(deps.clock.todayMs() - record.sentAtMs, 0);
  const job = await readJob(record, ageMs, deps);
  if (job === undefined) {
    return asked;
  }
  const defeat = defeats[job.status];
  if (defeat !== undefined) {
    deps.log.info(
      `Attempt ${record.attempt} of this run ended with job ${job.id}, which ${defeat}: this re-run starts a new job.`,
    );
    return asked;
  }
  deps.onRecord(record);
  if (record.promptHash !== deps.promptHash) {
    deps.log.notice(
      `The prompt differs from the one that attempt ${record.attempt} sent, and is not sent: job ${job.id} continues with the earlier one. To send the new prompt, start a new run.`,
    );
  }
  return { kind: 'resume', job, sent: record.sent, ageMs };
}

function recordIn(search: RecordSearch, { log }: ResumeDeps): JobRecord | undefined {
  switch (search.kind) {
    case 'found':
      return search.record;
    case 'none':
      if (search.hasForged) {
        log.warning(
          'The record of an earlier attempt is not used, because its signature does not fit this step and API key: this re-run starts a new job, and an earlier one may still be active.',
        );
      } else {
        log.info('No earlier attempt of this run left a record of a job: this re-run starts one.');
      }
      return undefined;
    case 'no-store':
      log.warning(
        'Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: this re-run starts a new job, and an earlier one may still be active.',
      );
      return undefined;
    case 'unanswered':
      throw earlierAttemptError(search.problem);
  }
}

/** The statuses after which a re-run starts its own job, and how the log names them. */
export const defeats: Readonly<Record<JobStatus, string | undefined>> = {
  active: undefined,
  completed: undefined,
  archived: 'was archived',
  failed: 'failed',
};

/** Longer than a new job may take to become visible. */
const leastReadingMs = 90_000;

async function readJob(
  record: JobRecord,
  ageMs: number,
  { readJob: read, onRecord, clock, waitMs, log }: ResumeDeps,
): Promise<Job | undefined> {
  const sinceMs = clock.nowMs();
  // A step that is not to wait still has to know whether there is a job.
  const deadlineMs = sinceMs + Math.max(waitMs, leastReadingMs);
  const id = record.jobId;
  try {
    return await read({ source: 'resume', id, sentMs: sinceMs - ageMs, sinceMs, deadlineMs });
  } catch (error) {
    if (!hasReason(error, 'job-not-found')) {
      onRecord(record);
      throw error;
    }
    log.warning(
      `Attempt ${record.attempt} of this run started job ${id}, which Mintlify does not know any more: this re-run starts a new job.`,
    );
    return undefined;
  }
}

/** The error of a re-run whose earlier attempt got no response to its request. */
export function mayExist({
  attempt,
  jobId,
  sent,
}: Pick<JobRecord, 'attempt' | 'jobId' | 'sent'>): ActionError {
  const what = `attempt ${attempt} of this run got no response to its request`;
  return sent === 'create'
    ? new ActionError(
        'job-may-exist',
        what,
        'a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one',
      )
    : new ActionError(
        'job-may-exist',
        what,
        `Mintlify may have received the follow-up to job ${jobId}, so open the job in the dashboard, and then start a new run, without prompt to wait for it or with prompt to send it again`,
      );
}

/**
 * The error if it cannot be found out whether an earlier attempt of this run started a job.
 * @param problem a main clause
 */
export function earlierAttemptError(problem: string): ActionError {
  return new ActionError(
    'earlier-attempt-unknown',
    'nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read',
    `${problem}; re-run the workflow later, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one`,
  );
}
