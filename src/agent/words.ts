import { duration } from '../text/duration.ts';
import { code } from '../text/markdown.ts';
import type { Known } from './known.ts';
import type { Result } from './result.ts';

/** What the sentences about a result need to know beside it. */
export interface WordsContext {
  readonly waitMs: number;
}

/** What people read about a result: a heading, the log's closing sentence, and what to do next. */
export interface Words {
  readonly heading: string;
  readonly message: string;
  /** Markdown; empty where nothing is to be done. */
  readonly next: string;
}

/** The words for a result, with what the step knows. */
export function wordsOf(result: Result, { inputs }: Pick<Known, 'inputs'>): Words {
  return wordsFor(result, { waitMs: inputs?.waitMs ?? 0 });
}

/** The words for every result. `message` is plain text, still to be escaped for where it goes. */
export function wordsFor(result: Result, { waitMs }: WordsContext): Words {
  switch (result.result) {
    case 'pull-request':
      return {
        heading: 'Pull request opened',
        message: `Job ${result.job.id} is completed and opened a pull request: ${result.url}`,
        next: 'Review the pull request and merge it.',
      };
    case 'no-pull-request':
      return noPullRequest(result.job.id, result.mayNotHaveBegun);
    case 'failed':
      return {
        heading: 'The agent failed',
        message: `Job ${result.job.id} failed at the service: look at it in the dashboard, then run this step again.`,
        next: 'Look at the job in the dashboard. Then run the step again: that starts a new job.',
      };
    case 'archived':
      return {
        heading: 'The job was archived',
        message: `Job ${result.job.id} was archived${result.url === undefined ? ' without a pull request' : `, and its pull request is ${result.url}`}.`,
        next: 'Somebody or something archived the job in the dashboard; look there for the reason.',
      };
    case 'timed-out':
      return timedOut(result.job.id, waitMs, result.lastProblem);
    case 'running':
      return {
        heading: 'The job is running',
        message: `Job ${result.job.id} is running at the service, and this step does not wait for it.`,
        next: howToGoOn(result.job.id),
      };
    case 'cancelled':
      return cancelled(result.job?.id, result.mayHaveStarted);
    case 'skipped':
      return { heading: 'Skipped', message: result.message, next: '' };
    case 'error':
      return { heading: 'The step ended with an error', message: result.message, next: '' };
  }
}

function noPullRequest(jobId: string, mayNotHaveBegun: boolean): Words {
  return mayNotHaveBegun
    ? {
        heading: 'No pull request was opened',
        message: `Job ${jobId} shows the same end as before the follow-up, which may not have begun: no pull request was opened.`,
        next: howToGoOn(jobId),
      }
    : {
        heading: 'No pull request was opened',
        message: `Job ${jobId} is completed, and no pull request was opened.`,
        next: 'Either no file needed a change, or the project lets the agent push straight to its branch.',
      };
}

function timedOut(jobId: string, waitMs: number, lastProblem: string | undefined): Words {
  const problem = lastProblem === undefined ? '' : ` (at the last look ${lastProblem})`;
  return {
    heading: 'The job takes longer than the step waits',
    message: `Job ${jobId} was not at its end after ${duration(waitMs)}${problem} and runs on at the service: to wait on, run this action with job-id ${jobId} and no prompt.`,
    next: howToGoOn(jobId),
  };
}

function cancelled(jobId: string | undefined, mayHaveStarted: boolean): Words {
  const heading = 'The run was cancelled';
  if (jobId !== undefined) {
    return {
      heading,
      message: `The run was cancelled, but job ${jobId} runs on at the service: to wait for it, run this action with job-id ${jobId} and no prompt.`,
      next: howToGoOn(jobId),
    };
  }
  return mayHaveStarted
    ? {
        heading,
        message:
          "The run was cancelled while a job was being started, so a job may exist and run on at the service: look for it in the project's dashboard before you run this step again.",
        next: "Look for the job in the project's dashboard before you run this step again.",
      }
    : { heading, message: 'The run was cancelled before a job was started.', next: '' };
}

function howToGoOn(jobId: string): string {
  return `To wait for the job, run this action with <code>job-id</code> ${code(jobId)} and without a prompt.`;
}
