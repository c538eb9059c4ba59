import type { JobStatus } from '../platform/job.ts';
import { duration } from '../text/duration.ts';
import { code } from '../text/markdown.ts';
import type { Known } from './known.ts';
import type { Breakdown, Result } from './result.ts';

/** What the sentences about a result need to know beside it. */
export interface WordsContext {
  /** Which job the step is about; `undefined` when the inputs were not read. */
  readonly request:
    | { readonly kind: 'create' }
    | { readonly kind: 'follow-up' | 'attach'; readonly jobId: string }
    | undefined;
  readonly waitMs: number;
}

/** What people read about a result: a heading, the log's closing sentence, and what to do next. */
export interface Words {
  readonly heading: string;
  /** Plain text, still to be escaped for where it goes. */
  readonly message: string;
  /** Markdown; empty where nothing is to be done. */
  readonly next: string;
}

/** The words for a result, with what the step knows. */
export function wordsOf(result: Result, { inputs }: Pick<Known, 'inputs'>): Words {
  return wordsFor(result, { request: inputs?.request, waitMs: inputs?.waitMs ?? 0 });
}

/** The words for every result. */
export function wordsFor(result: Result, context: WordsContext): Words {
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
        message: `Job ${result.job.id} failed at the service${itsPullRequest(result.url)}: look at it in the dashboard to see why.`,
        next: `Look at the job in the dashboard. ${whatReRunDoes(context)}`,
      };
    case 'archived':
      return {
        heading: 'The job was archived',
        message: `Job ${result.job.id} was archived${itsPullRequest(result.url) || ' without a pull request'}.`,
        next: 'Somebody or something archived the job in the dashboard; look there for the reason.',
      };
    case 'timed-out':
      return timedOut(result, context);
    case 'running':
      return running(result.job.id, context);
    case 'cancelled':
      return cancelled(result, context);
    case 'skipped':
      return { heading: 'Skipped', message: result.message, next: '' };
    case 'error':
      return result.reason === 'internal-error'
        ? brokenDown(result, context)
        : { heading: errorHeading, message: result.message, next: '' };
  }
}

const errorHeading = 'The step ended with an error';

/** A step that broke down is no reason to lose the job, or to pay for a second one. */
function brokenDown(breakdown: Breakdown, context: WordsContext): Words {
  const { errorName, phase, jobId, lastStatus } = breakdown;
  const mistake = `This action made a mistake of its own (${errorName})`;
  const report = 'with debug logging switched on, and report what the log says';
  switch (phase) {
    case 'before':
      return {
        heading: errorHeading,
        message: `${mistake}, and nothing was ${jobId === '' ? 'started' : `sent to job ${jobId}`}: run it again ${report}.`,
        next: '',
      };
    case 'sending':
      return context.request?.kind === 'follow-up'
        ? {
            heading: errorHeading,
            message: `${mistake} while a follow-up was being sent to job ${jobId}, which may have been taken: look at the job before you run it again ${report}.`,
            next: lookBeforeFollowUp,
          }
        : {
            heading: errorHeading,
            message: `${mistake} while a job was being started, and one may run at Mintlify: look for it in the project's dashboard before you run it again ${report}.`,
            next: lookBeforeStart,
          };
    case 'waiting':
      return {
        heading: errorHeading,
        message: `${mistake}, but job ${jobId} ${howItGoesOn(lastStatus)}, run this action with job-id ${jobId} and no prompt, ${report}.`,
        next: `${howToWait(jobId)} ${whatReRunDoes(context)}`,
      };
  }
}

function howItGoesOn(lastStatus: JobStatus | undefined): string {
  return lastStatus === undefined || lastStatus === 'active'
    ? 'runs on at Mintlify: to wait for it'
    : `was last seen ${lastStatus} at Mintlify: to get its result`;
}

function itsPullRequest(url: string | undefined): string {
  return url === undefined ? '' : `, and its pull request is ${url}`;
}

function noPullRequest(jobId: string, mayNotHaveBegun: boolean): Words {
  const heading = 'No pull request was opened';
  return mayNotHaveBegun
    ? {
        heading,
        message: `Job ${jobId} shows the same end as before the follow-up, which may not have begun: no pull request was opened.`,
        next: howToWait(jobId),
      }
    : {
        heading,
        message: `Job ${jobId} is completed, and no pull request was opened.`,
        next: 'Either no file needed a change, or the project lets the agent push straight to its branch.',
      };
}

function timedOut(
  { job, lastProblem }: Result & { readonly result: 'timed-out' },
  context: WordsContext,
): Words {
  const problem = lastProblem === undefined ? '' : ` (at the last look ${lastProblem})`;
  return {
    heading: 'The waiting time is over',
    message: `Job ${job.id} was last seen ${job.status}${problem} when the waiting time of ${duration(context.waitMs)} was over, and runs on at the service: to wait on, run this action with job-id ${job.id} and no prompt.`,
    next: `${howToWait(job.id)} ${whatReRunDoes(context)}`,
  };
}

function running(jobId: string, { request }: WordsContext): Words {
  const what: Readonly<Record<NonNullable<typeof request>['kind'], string>> = {
    create: `Job ${jobId} was started`,
    'follow-up': `The follow-up was sent to job ${jobId}`,
    attach: `Job ${jobId} is active`,
  };
  return {
    heading: 'The agent is working',
    message: `${what[request?.kind ?? 'attach']}, and this step does not wait for its end.`,
    next: howToWait(jobId),
  };
}

function cancelled(
  { jobId, phase }: Result & { readonly result: 'cancelled' },
  context: WordsContext,
): Words {
  const heading = 'The run was cancelled';
  const { request } = context;
  switch (phase) {
    case 'before':
      return { heading, message: `${heading} before ${whatNeverBegan(context)}.`, next: '' };
    case 'sending':
      return request?.kind === 'follow-up'
        ? {
            heading,
            message: `${heading} while a follow-up was being sent to job ${jobId}, so it may have been taken: look at the job before you send it again.`,
            next: lookBeforeFollowUp,
          }
        : {
            heading,
            message: `${heading} while a job was being started, so a job may exist and run on at the service: look for it in the project's dashboard before you start another one.`,
            next: lookBeforeStart,
          };
    case 'waiting':
      return {
        heading,
        message: `${heading}, but job ${jobId} runs on at the service: to wait for it, run this action with job-id ${jobId} and no prompt.`,
        next: `${howToWait(jobId)} ${whatReRunDoes(context)}`,
      };
  }
}

const lookBeforeFollowUp = 'Look at the job in the dashboard before you send the follow-up again.';
const lookBeforeStart = "Look for the job in the project's dashboard before you start another one.";

function whatNeverBegan({ request }: WordsContext): string {
  return request?.kind === 'follow-up'
    ? `the follow-up was sent to job ${request.jobId}`
    : 'a job was started';
}

function howToWait(jobId: string): string {
  return `To wait for the job, run this action with <code>job-id</code> ${code(jobId)} and without a prompt.`;
}

/** GitHub's button is what people press first, and it can cost them a second job. */
function whatReRunDoes({ request }: WordsContext): string {
  switch (request?.kind) {
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
