import { isFinal } from '../../platform/job.ts';
import { duration } from '../../text/duration.ts';
import { code } from '../../text/markdown.ts';
import type { JobSourceKind } from '../job/source.ts';
import type { InternalErrorResult, Result, ResultName } from '../result.ts';
import type { State } from '../state.ts';

/** How a result is reported to people. */
export interface Message {
  readonly heading: string;
  /** The sentence that the log ends with. Plain text that still has to be escaped. */
  readonly sentence: string;
  /** What to do next, in Markdown; empty if there is nothing to do. */
  readonly next: string;
}

type MessageState = Pick<State, 'inputs' | 'source' | 'isResumable'>;

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
export function messageOf(result: Result, state: MessageState): Message {
  switch (result.result) {
    case 'pull-request':
      return {
        heading: 'Pull request opened',
        sentence: `Job ${result.job.id} completed and opened a pull request: ${result.url}`,
        next: 'Review the pull request and merge it.',
      };
    case 'no-pull-request':
      return noPullRequest(result.job.id, result.mayNotHaveBegun);
    case 'failed':
      return {
        heading: 'The agent failed',
        sentence: `Job ${result.job.id} failed${andItsPullRequest(result.url)}: open it in the dashboard to see why.`,
        next: `Open the job in the dashboard to see why. ${whatReRunDoes({ ...state, isResumable: false })}`,
      };
    case 'archived':
      return {
        heading: 'The job was archived',
        sentence: `Job ${result.job.id} was archived${andItsPullRequest(result.url) || ' without a pull request'}.`,
        next: 'Check the dashboard for the reason.',
      };
    case 'timed-out':
      return timedOut(result, state);
    case 'running':
      return running(result.job.id, state);
    case 'ready':
      return {
        heading: 'Dry run: ready',
        sentence: 'Everything that a dry run can check is in order, and nothing was started.',
        next: 'Set dry-run to false to start a job.',
      };
    case 'cancelled':
      return cancelled(result, state);
    case 'skipped':
      return { heading: 'Skipped', sentence: result.message, next: '' };
    case 'error':
      return result.reason === 'internal-error'
        ? internalError(result, state)
        : { heading: errorHeading, sentence: result.message, next: '' };
  }
}

const errorHeading = 'The step ended with an error';

/** Even after a bug in this action, the user must not lose the job or pay for a second one. */
function internalError(
  { errorName, phase, jobId, lastStatus }: InternalErrorResult,
  state: MessageState,
): Message {
  const problem = `This action hit an internal error (${errorName})`;
  const report = 'with debug logging enabled, and report what the log says';
  const heading = errorHeading;
  switch (phase) {
    case 'before': {
      const what = jobId === '' ? 'started' : `sent to job ${jobId}`;
      return {
        heading,
        sentence: `${problem}, and nothing was ${what}: run it again ${report}.`,
        next: '',
      };
    }
    case 'sending':
      return state.inputs?.source.kind === 'follow-up'
        ? {
            heading,
            sentence: `${problem} while a follow-up was being sent to job ${jobId}, which may have received it: check the job in the dashboard before you run it again ${report}.`,
            next: lookBeforeFollowUp,
          }
        : {
            heading,
            sentence: `${problem} while a job was being started, so a job may exist and keep running: look for it in the dashboard before you run it again ${report}.`,
            next: lookBeforeStart,
          };
    case 'waiting': {
      const job =
        lastStatus === undefined || !isFinal(lastStatus)
          ? `job ${jobId} keeps running: to wait for it`
          : `job ${jobId} was last seen ${lastStatus}: to get its result`;
      return {
        heading,
        sentence: `${problem}, but ${job}, run this action with job-id ${jobId} and no prompt, ${report}.`,
        next: `${howToWait(jobId)} ${whatReRunDoes(state)}`,
      };
    }
  }
}

const lookBeforeFollowUp = 'Check the job in the dashboard before you send the follow-up again.';
const lookBeforeStart = 'Look for the job in the dashboard before you start another one.';

function andItsPullRequest(url: string | undefined): string {
  return url === undefined ? '' : `, and its pull request is ${url}`;
}

function noPullRequest(jobId: string, mayNotHaveBegun: boolean): Message {
  const heading = 'No pull request was opened';
  return mayNotHaveBegun
    ? {
        heading,
        sentence: `Job ${jobId} still shows its state from before the follow-up, so the agent may not have started on it: to wait for it, run this action with job-id ${jobId} and no prompt.`,
        next: howToWait(jobId),
      }
    : {
        heading,
        sentence: `Job ${jobId} completed without opening a pull request.`,
        next: 'If you expected a change, open the job in the dashboard. Either no file needed one, or the project lets the agent push straight to its branch.',
      };
}

function timedOut(
  { job, lastProblem }: Result & { readonly result: 'timed-out' },
  state: MessageState,
): Message {
  const problem = lastProblem === undefined ? '' : ` (at the last poll, ${lastProblem})`;
  const waited = duration(state.inputs?.waitMs ?? 0);
  return {
    heading: 'The waiting time is over',
    sentence: `Job ${job.id} was still ${job.status}${problem} after the waiting time of ${waited}, and keeps running: to wait for it again, ${orReRun(state)}run this action with job-id ${job.id} and no prompt.`,
    next: `${howToWait(job.id)} ${whatReRunDoes(state)}`,
  };
}

function running(jobId: string, { inputs, source }: MessageState): Message {
  const what: Readonly<Record<JobSourceKind, string>> = {
    create: `Job ${jobId} was started`,
    'follow-up': `The follow-up was sent to job ${jobId}`,
    attach: `Job ${jobId} is active`,
    resume: `Job ${jobId}, which an earlier attempt of this run started, is active`,
  };
  return {
    heading: 'The agent is working',
    sentence: `${what[source ?? inputs?.source.kind ?? 'attach']}, and this step does not wait for it to end.`,
    next: howToWait(jobId),
  };
}

function cancelled(
  { jobId, phase }: Result & { readonly result: 'cancelled' },
  state: MessageState,
): Message {
  const heading = 'The run was cancelled';
  const source = state.inputs?.source;
  switch (phase) {
    case 'before': {
      const what =
        source?.kind === 'follow-up'
          ? `the follow-up was sent to job ${source.jobId}`
          : 'a job was started';
      return { heading, sentence: `${heading} before ${what}.`, next: '' };
    }
    case 'sending':
      return source?.kind === 'follow-up'
        ? {
            heading,
            sentence: `${heading} while a follow-up was being sent to job ${jobId}, so Mintlify may have received it: check the job in the dashboard before you send it again.`,
            next: lookBeforeFollowUp,
          }
        : {
            heading,
            sentence: `${heading} while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one.`,
            next: lookBeforeStart,
          };
    case 'waiting':
      return {
        heading,
        sentence: `${heading}, but job ${jobId} keeps running: to wait for it, ${orReRun(state)}run this action with job-id ${jobId} and no prompt.`,
        next: `${howToWait(jobId)} ${whatReRunDoes(state)}`,
      };
  }
}

function howToWait(jobId: string): string {
  return `To wait for the job, run this action with <code>job-id</code> ${code(jobId)} and without a prompt.`;
}

function orReRun({ inputs, isResumable = false }: MessageState): string {
  return isResumable && inputs?.onRerun === 'resume' ? 're-run this workflow, or ' : '';
}

/** Many people press "Re-run jobs" first, which can start a second paid job. */
function whatReRunDoes(state: MessageState): string {
  if (orReRun(state) !== '') {
    return 'Re-running the workflow waits for this job again.';
  }
  switch (state.inputs?.source.kind) {
    case undefined:
      return '';
    case 'create':
      return 'Re-running the workflow starts a second job.';
    case 'follow-up':
      return 'Re-running the workflow sends the follow-up again.';
    case 'attach':
      return 'Re-running the workflow waits for the same job again.';
  }
}
