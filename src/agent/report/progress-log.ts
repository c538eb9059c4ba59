import type { Failure } from '../../platform/failure.ts';
import { isFinal, type Job, type JobStatus } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import { duration } from '../../text/duration.ts';
import type { ActionError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import type { PollObserver } from '../job/observer.ts';
import { asWorking } from '../job/progress.ts';
import type { StartedJob } from '../job/source.ts';
import { type AgentState, learnJob } from '../state.ts';

/** Updates the state and the log as the job progresses. */
export interface ProgressLog extends PollObserver {
  /** The job was read before a follow-up is sent. */
  before(job: Job): void;
  started(started: StartedJob): void;
  retrying(failure: Failure, delayMs: number): void;
}

const heartbeatMs = 60_000;

const statusPhrases: Readonly<Record<JobStatus, string>> = {
  active: 'is active',
  completed: 'has completed',
  archived: 'is archived',
  failed: 'has failed',
};

/**
 * @param state is updated before anything is printed, so that the outputs are written even if the log
 *   breaks
 * @param onActive called when a poll finds a new status of a job that has not ended
 */
export function createProgressLog(
  { log, clock }: Pick<Runner, 'log' | 'clock'>,
  state: AgentState,
  projectId: string,
  onActive: () => void,
): ProgressLog {
  let lastLineMs = clock.nowMs();
  let hasFailed = false;
  let hasSaidFailing = false;
  let hasWarned = false;

  const print = (line: string): void => {
    lastLineMs = clock.nowMs();
    log.info(line);
  };

  const warnOfUnknownStatus = ({ id, unknownStatus }: Job): void => {
    if (unknownStatus !== undefined && !hasWarned) {
      hasWarned = true;
      log.warning(
        `Job ${id} has the status ${quoted(unknownStatus)}, which this version of the action does not know: it is treated as "active".`,
      );
    }
  };

  return {
    before(job) {
      learnJob(state, job);
      log.debug(`Before the follow-up, job ${job.id} was ${job.status}.`);
    },
    started(started) {
      const { source } = started;
      const job = source === 'follow-up' ? started.job && asWorking(started.job) : started.job;
      const news = { source, sinceMs: started.sinceMs };
      if (job === undefined) {
        state.learn(news);
      } else {
        learnJob(state, job, news);
      }
      lastLineMs = clock.nowMs();
      log.notice(`Docs agent: ${describeStart(started, projectId)}`);
      if (job !== undefined) {
        warnOfUnknownStatus(job);
      }
    },
    polled(job, waitedMs) {
      const before = state.current.job?.status;
      learnJob(state, job);
      if (hasSaidFailing) {
        hasSaidFailing = false;
        print(`The API responds again after ${duration(waitedMs)}.`);
      }
      if (job.status !== before) {
        if (!isFinal(job.status)) {
          onActive();
        }
        const after = before === undefined ? '' : ` after ${duration(waitedMs)}`;
        print(`Job ${job.id} ${statusPhrases[job.status]}${after}.`);
      }
      warnOfUnknownStatus(job);
    },
    waiting(job, waitedMs, delayMs, problem) {
      if (clock.nowMs() - lastLineMs >= heartbeatMs) {
        const after = `after ${duration(waitedMs)}`;
        const next = `the next poll is in ${duration(delayMs)}`;
        hasSaidFailing = problem !== undefined;
        print(`${describeWaiting(job, after, problem)}; ${next}.`);
      } else {
        log.debug(`The next poll is in ${duration(delayMs)}.`);
      }
    },
    pollFailed(error: ActionError) {
      if (hasFailed) {
        log.debug(error.message);
        return;
      }
      hasFailed = true;
      log.warning(`A poll failed and will be repeated: ${error.what}.`);
    },
    retrying({ error }, delayMs) {
      print(
        `Nothing was started, because ${error.what}; the next attempt is in ${duration(delayMs)}.`,
      );
    },
  };
}

/** While polls fail, nobody knows whether a job is still active. */
function describeWaiting(job: Job | undefined, after: string, problem: string | undefined): string {
  if (problem === undefined) {
    return job === undefined ? `No response ${after}` : `Still ${job.status} ${after}`;
  }
  const known = job === undefined ? '' : `; job ${job.id} was ${job.status} when it last responded`;
  return `Polls still fail ${after}, because ${problem}${known}`;
}

function describeStart({ source, id, job }: StartedJob, projectId: string): string {
  switch (source) {
    case 'create':
      return `started job ${id} in project ${projectId}${statusUnlessActive(job)}.`;
    case 'follow-up':
      // The response to a follow-up can still have the job's earlier status.
      return `sent a follow-up to job ${id} in project ${projectId}.`;
    case 'attach':
      return `waiting for job ${id} in project ${projectId}.`;
    case 'resume':
      return `resumed job ${id} of an earlier attempt in project ${projectId}${statusUnlessActive(job)}.`;
  }
}

function statusUnlessActive(job: Job | undefined): string {
  return job === undefined || job.status === 'active' ? '' : `, which ${statusPhrases[job.status]}`;
}
