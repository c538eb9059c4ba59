import type { PlatformError } from '../platform/errors.ts';
import type { Failure } from '../platform/failure.ts';
import type { Job, JobStatus } from '../platform/job.ts';
import { writeOutputs } from '../runner/outputs.ts';
import type { Runner } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import { quoted } from '../text/plain.ts';
import type { Known } from './known.ts';
import { outputsOfJob } from './outputs.ts';
import type { Waiting } from './progress.ts';
import type { WaitWatcher } from './wait.ts';

/** Tells of the job while it runs: outputs at once, a quiet log. */
export interface Narrator extends WaitWatcher {
  /** Takes the job's state before a follow-up in, and hands it on. */
  before(job: Job): Job;
  started(waiting: Waiting): void;
  retrying(failure: Failure, pauseMs: number): void;
}

/** What of the runner the telling needs. */
type Stage = Pick<Runner, 'log' | 'clock' | 'setOutput'>;

const heartbeatMs = 60_000;

const statusWords: Readonly<Record<JobStatus, string>> = {
  active: 'is active',
  completed: 'is completed',
  archived: 'is archived',
  failed: 'has failed',
};

/**
 * @param known learns of the job before anything is printed, so that nothing is lost when the log
 *   breaks
 * @param onActive told when a poll finds the job at work that was not seen so before
 */
export function createNarrator(
  runner: Stage,
  known: Known,
  projectId: string,
  onActive: (job: Job) => void,
): Narrator {
  const { log, clock } = runner;
  let lastLineMs = clock.nowMs();
  let isTroubled = false;
  let unknownStatus: string | undefined;

  const say = (line: string): void => {
    lastLineMs = clock.nowMs();
    log.info(line);
  };

  const learn = (answer: Job): boolean => {
    const before = known.job;
    const job = keepKnown(answer, before);
    known.job = job;
    writeChangedOutputs(runner, job, before);
    return before?.status !== job.status;
  };

  const warnOfUnknownStatus = (job: Job): void => {
    if (job.unknownStatus !== undefined && unknownStatus === undefined) {
      unknownStatus = job.unknownStatus;
      log.warning(
        `Job ${job.id} has the status ${quoted(unknownStatus)}, which this version does not know: it is taken for "active".`,
      );
    }
  };

  return {
    before(job) {
      learn(job);
      log.debug(`Before the follow-up, job ${job.id} ${statusWords[job.status]}.`);
      return job;
    },
    started(waiting) {
      known.sinceMs = waiting.sinceMs;
      const beginning = beginningOf(waiting, projectId);
      if (waiting.job === undefined) {
        say(beginning);
        return;
      }
      learn(waiting.job);
      say(`${beginning} It ${statusWords[waiting.job.status]}.`);
      warnOfUnknownStatus(waiting.job);
    },
    seen(job, waitedMs) {
      if (learn(job)) {
        if (job.status === 'active') {
          onActive(job);
        }
        say(`Job ${job.id} ${statusWords[job.status]} after ${duration(waitedMs)}.`);
      }
      warnOfUnknownStatus(job);
    },
    pausing(job, waitedMs, pauseMs) {
      if (clock.nowMs() - lastLineMs >= heartbeatMs) {
        const state = job === undefined ? 'No answer' : `Still ${job.status}`;
        say(`${state} after ${duration(waitedMs)}; the next look is in ${duration(pauseMs)}.`);
      } else {
        log.debug(`The next look is in ${duration(pauseMs)}.`);
      }
    },
    troubled(error: PlatformError) {
      if (isTroubled) {
        log.debug(error.message);
        return;
      }
      isTroubled = true;
      log.warning(`A look at the job failed, and is repeated: ${error.what}.`);
    },
    retrying({ error }, pauseMs) {
      say(`Nothing was started, because ${error.what}; the next try is in ${duration(pauseMs)}.`);
    },
  };
}

function beginningOf({ origin, jobId }: Waiting, projectId: string): string {
  switch (origin) {
    case 'create':
      return `Started job ${jobId} in project ${projectId}.`;
    case 'follow-up':
      return `Sent a follow-up to job ${jobId} in project ${projectId}.`;
    case 'attach':
      return `Waiting for job ${jobId} in project ${projectId}.`;
  }
}

/** What one answer told stays known when a later one leaves it out. */
function keepKnown(job: Job, before: Job | undefined): Job {
  return {
    ...job,
    repository: job.repository || (before?.repository ?? ''),
    ref: job.ref || (before?.ref ?? ''),
    model: job.model || (before?.model ?? ''),
    createdAt: job.createdAt || (before?.createdAt ?? ''),
    archivedAt: job.archivedAt || (before?.archivedAt ?? ''),
  };
}

function writeChangedOutputs(runner: Stage, job: Job, before: Job | undefined): void {
  const known = before === undefined ? {} : outputsOfJob(before);
  const changed = Object.entries(outputsOfJob(job)).filter(
    ([name, value]) => value !== (Reflect.get(known, name) ?? ''),
  );
  writeOutputs(runner, Object.fromEntries(changed));
}
