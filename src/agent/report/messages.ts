import { isFinal } from '../../platform/job.ts';
import { duration } from '../../text/duration.ts';
import type { JobSourceKind } from '../job/source.ts';
import type { Result, ResultName } from '../result.ts';
import type { State } from '../state.ts';
import {
  howToWait,
  howToWaitAgain,
  type Message,
  orReRun,
  whatReRunDoes,
  whoMarks,
} from './advice.ts';
import { cancelled, errorHeading, internalError } from './interruption.ts';
import { pullRequest } from './pull-request-message.ts';

/** The icon in front of each result's heading. */
export const icons: Readonly<Record<ResultName, string>> = {
  'pull-request': '✅',
  'no-pull-request': 'ℹ️',
  failed: '❌',
  archived: '⚠️',
  'timed-out': '⏳',
  running: '⏳',
  ready: '✅',
  cancelled: '🛑',
  skipped: '⏭️',
  error: '❌',
};

/** The message for every result. */
export function messageOf(result: Result, state: State): Message {
  switch (result.result) {
    case 'pull-request':
      return pullRequest(result, state);
    case 'no-pull-request':
      return noPullRequest(result, state);
    case 'failed':
      return {
        heading: 'The agent failed',
        sentence: `Job ${result.job.id}${withPullRequest(result.url)} failed: open the job in the dashboard to see why.`,
        next: `Open the job in the dashboard to see why. ${whatReRunDoes({ ...state, isResumable: false })}`,
      };
    case 'archived':
      return {
        heading: 'The job was archived',
        sentence: `Job ${result.job.id}${withPullRequest(result.url)} was archived${result.url === undefined ? ' without a pull request' : ''}.`,
        next: 'Check the dashboard for the reason.',
      };
    case 'timed-out':
      return timedOut(result, state);
    case 'running':
      return running(result.job.id, state);
    case 'ready':
      return ready(state);
    case 'cancelled':
      return cancelled(result, state);
    case 'skipped':
      return { heading: 'Skipped', sentence: result.message, next: '' };
    case 'error':
      return result.reason === 'internal-error'
        ? internalError(result, state)
        : failedWith(result, state);
  }
}

function ready({ findings = [] }: State): Message {
  const next = 'Set dry-run to false for a real run.';
  return findings.some(({ level }) => level === 'note')
    ? {
        heading: 'Dry run: ready, with notes',
        sentence:
          'Nothing was started, and no finding would fail a real run, but some need a look: see the warnings among the findings.',
        next,
      }
    : {
        heading: 'Dry run: ready',
        sentence: 'Everything that a dry run can check is in order, and nothing was started.',
        next,
      };
}

/** A job that was polled keeps running, whatever keeps this step from polling it again. */
function failedWith(
  { reason, message }: Exclude<Result & { readonly result: 'error' }, { reason: 'internal-error' }>,
  state: State,
): Message {
  const { job } = state;
  if (
    job === undefined ||
    isFinal(job.status) ||
    state.sinceMs === undefined ||
    reason === 'job-not-found'
  ) {
    const heading = state.findings === undefined ? errorHeading : 'Dry run: not ready';
    return { heading, sentence: message, next: '' };
  }
  return {
    heading: errorHeading,
    sentence: `${message.replace(/\.$/, '')}; job ${job.id} may keep running, so afterwards ${orReRun(state)}run this action with job-id ${job.id} and no prompt to wait for it.`,
    next: howToWaitAgain(job.id, state),
  };
}

function withPullRequest(url: string | undefined): string {
  return url === undefined ? '' : `, whose pull request is ${url},`;
}

function noPullRequest(
  { job: { id: jobId }, mayNotHaveBegun }: Result & { readonly result: 'no-pull-request' },
  state: State,
): Message {
  const heading = 'No pull request was opened';
  return mayNotHaveBegun
    ? {
        heading,
        sentence: `Job ${jobId} still shows its state from before the follow-up, so the agent may not have started on it: to wait for it, run this action with job-id ${jobId} and no prompt.`,
        next: howToWait(jobId, state),
      }
    : {
        heading,
        sentence: `Job ${jobId} completed without opening a pull request.`,
        next: 'If you expected a change, open the job in the dashboard. Either no file needed one, or the project lets the agent push straight to its branch.',
      };
}

function timedOut(
  { job, lastProblem }: Result & { readonly result: 'timed-out' },
  state: State,
): Message {
  const waited = duration(state.inputs?.waitMs ?? 0);
  const what =
    lastProblem === undefined
      ? `Job ${job.id} was still ${job.status} after the waiting time of ${waited}, and keeps running`
      : `The waiting time of ${waited} is over, and job ${job.id} was ${job.status} when the API last responded; since then, ${lastProblem}`;
  return {
    heading: 'The waiting time is over',
    sentence: `${what}: to wait for it again, ${orReRun(state)}run this action with job-id ${job.id} and no prompt.${whoMarks(state)}`,
    next: howToWaitAgain(job.id, state),
  };
}

function running(jobId: string, state: State): Message {
  const { inputs, source } = state;
  const what: Readonly<Record<JobSourceKind, string>> = {
    create: `Job ${jobId} was started`,
    'follow-up': `The follow-up was sent to job ${jobId}`,
    attach: `Job ${jobId} is active`,
    resume: `Job ${jobId}, which an earlier attempt of this run started, is active`,
  };
  return {
    heading: 'The agent is working, and this run does not wait for it',
    sentence: `${what[source ?? inputs?.source.kind ?? 'attach']}, and this step does not wait for it to end.${whoMarks(state)}`,
    next: howToWait(jobId, state),
  };
}
