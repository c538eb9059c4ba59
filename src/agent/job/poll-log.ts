import { hasStatus, isFinal, type Job } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import { duration } from '../../text/duration.ts';
import { capitalised, quoted } from '../../text/plain.ts';
import { statusTraits } from '../result.ts';
import type { PolledJob } from './polled-job.ts';
import type { Seen } from './progress.ts';

const heartbeatMs = 60_000;

/** Writes to the log what the polls of one job show. */
export function createPollLog({ log }: Pick<Runner, 'log'>) {
  /** How long the step had waited when it wrote the last line. */
  let lastLineMs = 0;
  let lastStatus: string | undefined;
  let hasFailed = false;
  let hasWarned = false;

  const print = (line: string, waitedMs: number): void => {
    lastLineMs = waitedMs;
    log.info(line);
  };

  const logStatus = (job: Job, waitedMs: number): void => {
    const { id, status, unknownStatus } = job;
    if (status !== lastStatus) {
      const after = lastStatus === undefined ? '' : ` after ${duration(waitedMs)} of waiting`;
      lastStatus = status;
      print(`Job ${id} ${statusTraits[status].now}${after}.`, waitedMs);
    }
    if (unknownStatus !== undefined && !hasWarned) {
      hasWarned = true;
      log.warning(
        `Job ${id} has ${hasStatus(job) ? `the status ${quoted(unknownStatus)}, which this version of the action does not know` : 'no status'}: it is treated as "active".`,
      );
    }
  };

  const logDelay = (seen: Seen, delayMs: number): void => {
    const { lastFailure } = seen.retryState;
    if (lastFailure !== undefined && hasFailed) {
      log.debug(lastFailure.error.message);
    } else if (lastFailure !== undefined) {
      hasFailed = true;
      log.warning(`A poll failed and will be repeated: ${lastFailure.error.what}.`);
    }
    const next = `the next poll is in ${duration(delayMs)}`;
    if (seen.waitedMs - lastLineMs >= heartbeatMs) {
      print(`${describeWaiting(seen)}; ${next}.`, seen.waitedMs);
    } else {
      log.debug(`${capitalised(next)}.`);
    }
  };

  return {
    started(started: PolledJob, { job }: Pick<Seen, 'job'>, projectId: string): void {
      lastStatus = job?.status;
      log.notice(`Docs agent: ${describeStart(started, job, projectId)}`);
    },
    /** Logs what has changed since the last poll, which may have failed, and that the step waits for the next one. */
    polled(seen: Seen): void {
      if (seen.job !== undefined) {
        logStatus(seen.job, seen.waitedMs);
      }
      if (seen.delayMs !== undefined) {
        logDelay(seen, seen.delayMs);
      }
    },
  };
}

/** While polls fail, or return the state from before a follow-up, the job may not be active any more. */
function describeWaiting(seen: Seen): string {
  const { job, waitedMs, retryState } = seen;
  const { lastFailure } = retryState;
  const after = `after ${duration(waitedMs)} of waiting`;
  if (lastFailure !== undefined) {
    const known =
      job === undefined ? '' : `; job ${job.id} was ${job.status} when it last responded`;
    return `Polls still fail ${after}, because ${lastFailure.error.what}${known}`;
  }
  if (seen.phase.at === 'unsettled') {
    return `Mintlify shows an end of the job that may be older than the follow-up, ${after}`;
  }
  return job === undefined ? `No response ${after}` : `Still ${job.status} ${after}`;
}

function describeStart({ source, id }: PolledJob, job: Job | undefined, projectId: string): string {
  switch (source) {
    case 'created':
      return `started job ${id} in project ${projectId}${statusUnlessActive(job)}.`;
    case 'followed-up':
      return `sent a follow-up to job ${id} in project ${projectId}.`;
    case 'attached':
      return `waiting for job ${id} in project ${projectId}.`;
    case 'resumed':
      return `resumed job ${id} of an earlier attempt in project ${projectId}${statusUnlessActive(job)}.`;
  }
}

function statusUnlessActive(job: Job | undefined): string {
  return job === undefined || !isFinal(job.status) ? '' : `, which ${statusTraits[job.status].now}`;
}
