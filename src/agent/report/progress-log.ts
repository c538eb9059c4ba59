import { isFinal, type Job } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import { duration } from '../../text/duration.ts';
import { quoted } from '../../text/plain.ts';
import type { JobObserver } from '../job/poll.ts';
import type { Progress } from '../job/progress.ts';
import type { StartedJob } from '../job/start.ts';
import { statusPhrases } from '../result.ts';
import { type AgentState, withFieldsOf } from '../state.ts';

const heartbeatMs = 60_000;

/**
 * Updates the state and the log as the job progresses.
 * @param state is updated before anything is printed, so that the outputs are written even if the log
 *   breaks
 * @param onActive called when a poll finds a new status of a job that has not ended
 */
export function createProgressLog(
  { log, clock }: Pick<Runner, 'log' | 'clock'>,
  state: AgentState,
  projectId: string,
  onActive: () => void,
): JobObserver {
  let lastLineMs = clock.nowMs();
  let hasFailed = false;
  let hasWarned = false;

  const print = (line: string): void => {
    lastLineMs = clock.nowMs();
    log.info(line);
  };

  const warnOfUnknownStatus = ({ id, unknownStatus }: Job): void => {
    if (unknownStatus !== undefined && !hasWarned) {
      hasWarned = true;
      log.warning(
        `Job ${id} has ${unknownStatus === '' ? 'no status' : `the status ${quoted(unknownStatus)}, which this version of the action does not know`}: it is treated as "active".`,
      );
    }
  };

  return {
    started(started) {
      lastLineMs = clock.nowMs();
      // Warn of this job's first failed poll, even if one failed while another job was read.
      hasFailed = false;
      log.notice(`Docs agent: ${describeStart(started, projectId)}`);
      if (started.job !== undefined) {
        warnOfUnknownStatus(started.job);
      }
    },
    followingUp(before) {
      state.learn({ job: withFieldsOf(state.current.job, before) });
      log.debug(`Before the follow-up, job ${before.id} was ${before.status}.`);
    },
    polled(job, waitedMs) {
      const before = state.current.job;
      state.learn({ job: withFieldsOf(before, job) });
      if (job.status !== before?.status) {
        if (!isFinal(job.status)) {
          onActive();
        }
        const after = before === undefined ? '' : ` after ${duration(waitedMs)}`;
        print(`Job ${job.id} ${statusPhrases[job.status].now}${after}.`);
      }
      warnOfUnknownStatus(job);
    },
    waiting(progress, waitedMs, delayMs) {
      const { lastFailure } = progress.retryState;
      if (lastFailure !== undefined && hasFailed) {
        log.debug(lastFailure.error.message);
      } else if (lastFailure !== undefined) {
        hasFailed = true;
        log.warning(`A poll failed and will be repeated: ${lastFailure.error.what}.`);
      }
      const next = `the next poll is in ${duration(delayMs)}`;
      if (clock.nowMs() - lastLineMs >= heartbeatMs) {
        print(`${describeWaiting(progress, `after ${duration(waitedMs)}`)}; ${next}.`);
      } else {
        log.debug(`${next.replace(/^t/, 'T')}.`);
      }
    },
    retrying({ error }, delayMs) {
      print(
        `Nothing was started, because ${error.what}; the next attempt is in ${duration(delayMs)}.`,
      );
    },
  };
}

/** While polls fail, or return the state from before a follow-up, the job may not be active any more. */
function describeWaiting(
  { job, isStale, retryState: { lastFailure } }: Progress,
  after: string,
): string {
  if (lastFailure !== undefined) {
    const known =
      job === undefined ? '' : `; job ${job.id} was ${job.status} when it last responded`;
    return `Polls still fail ${after}, because ${lastFailure.error.what}${known}`;
  }
  if (isStale) {
    return `Mintlify still shows the job as it was before the follow-up ${after}`;
  }
  return job === undefined ? `No response ${after}` : `Still ${job.status} ${after}`;
}

function describeStart({ source, id, job }: StartedJob, projectId: string): string {
  switch (source) {
    case 'created':
      return `started job ${id} in project ${projectId}${statusUnlessActive(job)}.`;
    case 'followed-up':
      // The response to a follow-up can still have the job's earlier status.
      return `sent a follow-up to job ${id} in project ${projectId}.`;
    case 'attached':
      return `waiting for job ${id} in project ${projectId}.`;
    case 'resumed':
      return `resumed job ${id} of an earlier attempt in project ${projectId}${statusUnlessActive(job)}.`;
  }
}

function statusUnlessActive(job: Job | undefined): string {
  return job === undefined || !isFinal(job.status)
    ? ''
    : `, which ${statusPhrases[job.status].now}`;
}
