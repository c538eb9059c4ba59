import { isFinal, type Job } from '../../platform/job.ts';
import { duration } from '../../text/duration.ts';
import { code, ownLink } from '../../text/markdown.ts';
import type { JobSource } from '../job/start.ts';
import type { InternalErrorResult, Phase, Result, ResultName } from '../result.ts';
import { jobIdOf, type State, sentBy } from '../state.ts';
import { isClosed, nameOf, replacedOf } from './pull-request.ts';

/** How the log, the summary and the comment report a result. */
export interface Message {
  readonly heading: string;
  /** The sentence that the log ends with. Plain text that still has to be escaped. */
  readonly sentence: string;
  /** What the report says below its heading, in our own words; missing if the heading is enough. */
  readonly lead?: string;
  /** What to do next, in Markdown; empty if there is nothing to do. */
  readonly next: string;
}

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
        next: `Open the job in ${dashboard(state)} to see why. ${afterFailure(result.url, state)}`.trimEnd(),
      };
    case 'archived':
      return {
        heading: 'The job was archived',
        sentence: `Job ${result.job.id}${withPullRequest(result.url)} was archived${result.url === undefined ? ' without a pull request' : ''}.`,
        next: `Open the job in ${dashboard(state)} to see why.`,
      };
    case 'timed-out':
      return timedOut(result, state);
    case 'running':
      return running(result.job.id, state);
    case 'ready':
      return ready(state);
    case 'cancelled':
      return stopped('The run was cancelled', 'the run was cancelled', result.phase, state);
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

/**
 * The message of a job that has a pull request. An earlier run may have opened it; then most of it has
 * been reviewed before.
 */
function pullRequest(
  { job, url }: Result & { readonly result: 'pull-request' },
  state: State,
): Message {
  const { linkBefore, round: { count = 0, isUnchanged = false } = {} } = state;
  const round = count < 2 ? '' : ` in round ${count}`;
  const where = `${isClosed(state) ? '; it is merged or closed by now' : ''}: ${url}`;
  const next = isClosed(state) ? '' : 'Review the pull request and merge it.';
  const replaced = replacedOf(state);
  if (replaced !== undefined || (linkBefore === undefined && count < 2)) {
    const what =
      replaced === undefined
        ? 'a pull request'
        : `a new pull request instead of continuing ${nameOf(replaced)}`;
    return {
      heading: 'Pull request opened',
      sentence: `Job ${job.id} completed and opened ${what}${where}`,
      next,
    };
  }
  if (isUnchanged) {
    return {
      heading: `Pull request unchanged${round}`,
      sentence: `Job ${job.id} completed and added nothing to its pull request${round}${where}`,
      next,
    };
  }
  return {
    heading: `Pull request continued${round}`,
    sentence: `Job ${job.id} completed and continued its pull request${round}${where}`,
    next: isClosed(state)
      ? 'Compare its branch with the base branch, and run the workflow again for what is missing.'
      : 'Review what is new in the pull request, and merge it.',
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
        next: `If you expected a change, open the job in ${dashboard(state)}. Either no file needed one, or the project lets the agent push straight to its branch.`,
      };
}

/** What a job does whose end this step does not see. */
const stillRuns = 'still runs, costs credits and may open a pull request';
const mayStillRun = 'may still run, cost credits and open a pull request';

function timedOut(
  { job, lastProblem }: Result & { readonly result: 'timed-out' },
  state: State,
): Message {
  const waited = duration(state.inputs?.waitMs ?? 0);
  const what =
    lastProblem === undefined
      ? `Job ${job.id} ${stillRuns}, but the waiting time of ${waited} is over`
      : `Job ${job.id} ${mayStillRun}, but the waiting time of ${waited} is over, and since the job was last seen ${job.status}, ${lastProblem}`;
  return {
    heading: 'The waiting time is over',
    lead: `The job ${lastProblem === undefined ? stillRuns : mayStillRun}.`,
    sentence: `${what}: ${howItEnds(job.id, state)}.`,
    next: howToWaitAgain(job.id, state),
  };
}

function running(jobId: string, state: State): Message {
  const what: Readonly<Record<JobSource, string>> = {
    created: `Job ${jobId} was started`,
    'followed-up': `The follow-up was sent to job ${jobId}`,
    attached: `Job ${jobId} is active`,
    resumed: `Job ${jobId}, which an earlier attempt of this run started, is active`,
  };
  return {
    heading: 'The agent is working, and this run does not wait for it',
    sentence: `${what[state.source ?? 'attached']}, and this step does not wait for it to end.`,
    next: howToWait(jobId, state),
  };
}

const errorHeading = 'The step ended with an error';

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

function internalError({ errorName, phase }: InternalErrorResult, state: State): Message {
  const what = `this action hit an internal error (${errorName})`;
  const message = stopped(errorHeading, what, phase, state);
  const report = 'Please report what the log says with debug logging enabled.';
  return { ...message, sentence: `${message.sentence} ${report}` };
}

/**
 * The message of a step that was stopped. It keeps people from losing the job, or paying for two.
 * @param what what stopped it, as a main clause
 */
function stopped(heading: string, what: string, phase: Phase, state: State): Message {
  const jobId = jobIdOf(state);
  const isFollowUp = sentBy(state) === 'follow-up';
  const cause = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  switch (phase) {
    case 'before': {
      const missed = isFollowUp ? `the follow-up was sent to job ${jobId}` : 'a job was started';
      return { heading, sentence: `${cause} before ${missed}.`, next: '' };
    }
    case 'sending':
      return isFollowUp
        ? {
            heading,
            lead: 'Mintlify may have received the follow-up: then the job runs, costs credits and may open a pull request.',
            sentence: `${cause} while a follow-up was being sent to job ${jobId}, so Mintlify may have received it: check the job in the dashboard before you send it again.`,
            next: `Open the job in ${dashboard(state)} before you send the follow-up again.`,
          }
        : {
            heading,
            lead: 'A job may have been started: then it runs, costs credits and may open a pull request.',
            sentence: `${cause} while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one.`,
            next: `Look for the job in ${dashboard(state)} before you start another one.`,
          };
    case 'waiting': {
      const known = whatOfJob(state.job);
      return {
        heading,
        lead: `The job ${known}.`,
        sentence: `Job ${jobId} ${known}, although ${what}: ${howItEnds(jobId, state)}.`,
        next: howToWaitAgain(jobId, state),
      };
    }
  }
}

function whatOfJob(job: Job | undefined): string {
  if (job === undefined) {
    return mayStillRun;
  }
  return isFinal(job.status) ? `was last seen ${job.status}` : stillRuns;
}

/** A link where the address is known. */
function dashboard({ inputs }: State): string {
  const url = inputs?.api.dashboardUrl ?? '';
  return url === '' ? 'the dashboard' : ownLink('the dashboard', url);
}

function howToWait(jobId: string, state: State): string {
  return `To wait for the job, ${withoutPrompt(jobId, state)}.`;
}

function withoutPrompt(jobId: string, state: State): string {
  const label = labelToPut(state);
  const same = label === '' ? '' : `, with the same <code>pr-label</code> ${code(label)},`;
  return `run this action with <code>job-id</code> ${code(jobId)}${same} and without a prompt`;
}

/** The label that only a run which waits for the job can put on its pull request; empty for none. */
function labelToPut({ inputs, plan }: State): string {
  // A pull request that this run has found has it already.
  const hasIt = plan?.kind === 'continue' && inputs?.job.kind !== 'id';
  return hasIt ? '' : (inputs?.label ?? '');
}

/** What to do to find out how a job ends, for the log. */
function howItEnds(jobId: string, state: State): string {
  const same = labelToPut(state) === '' ? '' : ', the same pr-label';
  return `to find out how it ends, ${orReRun(state)}run this action with job-id ${jobId}${same} and no prompt`;
}

/** The first half of the advice to wait again, where a re-run finds the job. */
function orReRun({ inputs, isResumable = false }: State): string {
  return isResumable && inputs?.onRerun === 'resume' ? 're-run this workflow, or ' : '';
}

/** How to wait for a job again: by its id, or where a re-run finds it, by a re-run. */
function howToWaitAgain(jobId: string, state: State): string {
  return orReRun(state) === ''
    ? `${howToWait(jobId, state)} ${whatReRunDoes(state)}`.trimEnd()
    : `Re-run the workflow to wait for this job again, or ${withoutPrompt(jobId, state)}.`;
}

/** What a re-run does after a failure; not where that depends on whether the job takes a follow-up. */
function afterFailure(url: string | undefined, state: State): string {
  const isOpen = url !== undefined && state.inputs?.onOpenPullRequest !== 'new';
  return isOpen ? '' : whatReRunDoes({ ...state, isResumable: false });
}

/** "Re-run jobs" is the button that most people press first, and it can start a second paid job. */
function whatReRunDoes(state: State): string {
  const { inputs, record, isResumable } = state;
  if (record !== undefined && isResumable === undefined && inputs?.onRerun === 'resume') {
    return 'Re-running the workflow also waits for this job, unless its record could not be saved in time.';
  }
  switch (sentBy(state)) {
    case undefined:
      return '';
    case 'new':
      return 'Re-running the workflow starts a second job.';
    case 'follow-up':
      return 'Re-running the workflow sends the follow-up again.';
    case 'nothing':
      return 'Re-running the workflow waits for the same job again.';
  }
}
