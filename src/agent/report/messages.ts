import { isFinal } from '../../platform/job.ts';
import { duration, moment } from '../../text/duration.ts';
import { code, ownLink } from '../../text/markdown.ts';
import { isAssumedActive } from '../job/progress.ts';
import type { JobSource } from '../job/started-job.ts';
import type { InternalErrorResult, Phase, Result, ResultName } from '../result.ts';
import {
  type Closing,
  handedOverIn,
  jobIdOf,
  jobOf,
  lastLinkOf,
  type Reached,
  sentBy,
} from '../stage.ts';
import { isClosed, isDoubted, nameOf, replacedIn } from './pull-request.ts';

/** How the log, the summary and the comment report a result. */
export interface Message {
  readonly heading: string;
  /** The icon in front of the heading, if it is not that of the result. */
  readonly icon?: string;
  /** The sentence that the log ends with. Plain text that still has to be escaped. */
  readonly sentence: string;
  /** What the report says below its heading, in our own words; missing if the heading is enough. */
  readonly lead?: string;
  /** What to do next, in Markdown; empty if there is nothing to do. */
  readonly next: string;
}

/** How advice is written: it is the same in the log and in the report, which has links and code. */
interface Style {
  readonly dashboard: string;
  /** The name of an input, or its value. */
  word(text: string): string;
}

/** The beginning of a sentence, in lower case and without a full stop. */
type Advice = (style: Style) => string;

/** What happened, what to do about it, and what else there is to know before that. */
interface Parts {
  readonly heading: string;
  readonly lead?: string;
  /** A main clause. */
  readonly what: string;
  readonly advice: Advice;
  /** What the sentence ends with, as a main clause; may be empty. */
  readonly end?: string;
  /** What else there is to know, as a sentence of the report; may be empty. */
  readonly more?: string;
}

/** Puts together a message whose advice stands in the sentence, and in the report. */
function advised(
  { heading, lead, what, advice, end = '', more = '' }: Parts,
  { last }: Closing,
): Message {
  const url = last.inputs?.api.dashboardUrl ?? '';
  const dashboard = url === '' ? 'the dashboard' : ownLink('the dashboard', url);
  return {
    heading,
    sentence: `${what}: ${advice({ dashboard: 'the dashboard', word: (text) => text })}${end && `; ${end}`}.`,
    ...(lead !== undefined && { lead }),
    next: [sentenceOf(advice({ dashboard, word: code })), sentenceOf(end), more]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** A clause as a sentence; empty if there is none. */
function sentenceOf(clause: string): string {
  return clause === '' ? '' : `${capitalised(clause)}.`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
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
export function messageOf(closing: Closing): Message {
  const { result } = closing;
  switch (result.result) {
    case 'pull-request':
      return pullRequest(result, closing);
    case 'no-pull-request':
      return noPullRequest(result, closing);
    case 'failed': {
      const what = `Job ${result.job.id}${withPullRequest(result.url)} failed`;
      return endedBadly('The agent failed', what, closing);
    }
    case 'archived': {
      const without = result.url === undefined ? ' without a pull request' : '';
      const what = `Job ${result.job.id}${withPullRequest(result.url)} was archived${without}`;
      return endedBadly('The job was archived', what, closing);
    }
    case 'timed-out':
      return timedOut(result, closing);
    case 'running':
      return running(result.job.id, closing);
    case 'ready':
      return ready;
    case 'cancelled':
      return stopped('The run was cancelled', 'the run was cancelled', result.phase, closing);
    case 'skipped':
      return { heading: 'Skipped', sentence: result.message, next: '' };
    case 'error':
      return result.reason === 'internal-error'
        ? internalError(result, closing)
        : failedWith(result, closing);
  }
}

const leftOpen =
  'Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.';

const ready: Message = {
  heading: 'Dry run: ready',
  sentence: `Nothing was started. ${leftOpen}`,
  lead: leftOpen,
  next: 'Set dry-run to false for a real run.',
};

type WithPullRequest = Result & { readonly result: 'pull-request' };

/**
 * The message of a job that has a pull request. An earlier run may have opened it; then most of it has
 * been reviewed before.
 */
function pullRequest(result: WithPullRequest, closing: Closing): Message {
  const handedOver = handedOverIn(closing.last);
  if (isDoubted(result, handedOver)) {
    return doubted(result.job.id, closing);
  }
  if (closing.last.at === 'waiting' && closing.last.started.source === 'attached') {
    // Another run sent the prompt, so what came of it is not known here.
    const sentence = `Job ${result.job.id} has completed and has a pull request${whereOf(result, closing)}`;
    return { heading: completed, sentence, next: isClosed(closing.last) ? '' : review };
  }
  const { count = 0 } = handedOver?.continuation ?? {};
  const replaced = handedOver && replacedIn(handedOver);
  if (replaced === undefined && (handedOver?.before !== undefined || count >= 2)) {
    return continued(result, closing);
  }
  const what =
    replaced === undefined
      ? 'a pull request'
      : `a new pull request instead of continuing ${nameOf(replaced)}`;
  return {
    heading: 'Pull request opened',
    sentence: `Job ${result.job.id} completed and opened ${what}${whereOf(result, closing)}`,
    next: isClosed(closing.last) ? '' : review,
  };
}

/** The heading where it is not known what the agent did. */
const completed = 'The job has completed';

const review = 'Review the pull request before it is merged.';

function whereOf({ url }: WithPullRequest, { last }: Closing): string {
  return `${isClosed(last) ? '; it is merged or closed by now' : ''}: ${url}`;
}

/** The message of a job whose pull request was there before. */
function continued(result: WithPullRequest, closing: Closing): Message {
  const { last } = closing;
  const { id: jobId } = result.job;
  const { count = 0, changes } = handedOverIn(last)?.continuation ?? {};
  const round = count < 2 ? '' : ` in round ${count}`;
  const where = whereOf(result, closing);
  if (changes === 'none') {
    const heading = `Pull request unchanged${round}`;
    const sentence = `Job ${jobId} completed and added nothing to its pull request${round}${where}`;
    return { heading, sentence, next: isClosed(last) ? '' : review };
  }
  const compare =
    'Compare its branch with the base branch, and run the workflow again for what is missing.';
  if (typeof changes !== 'object') {
    const what = `Job ${jobId} has completed, and what it added to its pull request${round} is not known`;
    const next = isClosed(last) ? compare : review;
    return { heading: `${completed}${round}`, sentence: `${what}${where}`, next };
  }
  return {
    heading: `Pull request continued${round}`,
    sentence: `Job ${jobId} completed and continued its pull request${round}${where}`,
    next: isClosed(last) ? compare : 'Review what is new in the pull request before it is merged.',
  };
}

function withPullRequest(url: string | undefined): string {
  return url === undefined ? '' : `, whose pull request is ${url},`;
}

/** The message of a job that a re-run does not resume. */
function endedBadly(heading: string, what: string, closing: Closing): Message {
  const end = whatReRunDoesInOpen(closing.last) ?? whatReRunSends(closing.last);
  const advice: Advice = ({ dashboard }) => `open the job in ${dashboard} to see why`;
  return advised({ heading, what, advice, end }, closing);
}

/** The message of a job that still shows how it was before the follow-up. */
function doubted(jobId: string, closing: Closing): Message {
  const isUnchanged = handedOverIn(closing.last)?.continuation.changes === 'none';
  const nothing = isUnchanged ? ', and nothing was added to its pull request' : '';
  const doubt = `still shows its state from before the follow-up${nothing}, so the agent may not have started on it`;
  const parts = {
    heading: 'The agent may not have started on the follow-up',
    lead: `The job ${doubt}.`,
    what: `Job ${jobId} ${doubt}`,
    advice: howItEnds(jobId, closing),
  };
  return { ...advised(parts, closing), icon: '⚠️' };
}

function noPullRequest(
  { job: { id: jobId }, mayNotHaveBegun }: Result & { readonly result: 'no-pull-request' },
  closing: Closing,
): Message {
  const heading = 'No pull request was opened';
  if (mayNotHaveBegun) {
    return doubted(jobId, closing);
  }
  const advice: Advice = ({ dashboard }) =>
    `if you expected a change, open the job in ${dashboard}`;
  const more =
    'Either no file needed one, or the project lets the agent push straight to its branch.';
  const what = `Job ${jobId} completed without opening a pull request`;
  return { ...advised({ heading, what, advice, more }, closing), sentence: `${what}.` };
}

/** What a job does whose end this step does not see. In its own pull request, it adds commits. */
function stillRuns(stage: Reached): string {
  return `still runs, costs credits and may ${makes(stage)}`;
}

function mayStillRun(stage: Reached): string {
  return `may still run, cost credits and ${makes(stage)}`;
}

function makes(stage: Reached): string {
  return lastLinkOf(stage) === undefined
    ? 'open a pull request'
    : 'add commits to its pull request';
}

/** What a job does until its end; it stays true, since nobody updates the report of a step that has ended. */
function costs(stage: Reached): string {
  return `costs credits until it ends, and may ${makes(stage)}`;
}

function timedOut(
  { job, lastProblem }: Result & { readonly result: 'timed-out' },
  closing: Closing,
): Message {
  const waited = duration(closing.last.inputs?.waitMs ?? 0);
  const does = whatOfJob(closing.last);
  const seen =
    lastProblem === undefined
      ? ''
      : `, and since the job was last seen ${job.status}, ${lastProblem}`;
  return advised(
    {
      heading: 'The waiting time is over',
      lead: leadOf(closing),
      what: `Job ${job.id} ${does}, but the waiting time of ${waited} is over${seen}`,
      advice: howItEnds(job.id, closing),
      more: whatReRunDoes(closing),
    },
    closing,
  );
}

function running(jobId: string, closing: Closing): Message {
  const { last } = closing;
  const byEarlierAttempt =
    sentBy(last) === 'follow-up'
      ? 'to which an earlier attempt of this run sent the follow-up'
      : 'which an earlier attempt of this run started';
  const started: Readonly<Record<JobSource, string>> = {
    created: `Job ${jobId} was started`,
    'followed-up': `The follow-up was sent to job ${jobId}`,
    attached: `Job ${jobId} still runs`,
    resumed: `Job ${jobId}, ${byEarlierAttempt}, still runs`,
  };
  const heading = 'This run does not wait for the agent';
  const what = `${started[last.at === 'waiting' ? last.started.source : 'attached']}, and this step does not wait for it to end`;
  const { next } = advised({ heading, what, advice: howItEnds(jobId, closing) }, closing);
  return { heading, sentence: `${what}.`, lead: leadOf(closing), next };
}

const errorHeading = 'The step ended with an error';

/** A job that was polled keeps running, whatever keeps this step from polling it again. */
function failedWith(
  { reason, message }: Exclude<Result & { readonly result: 'error' }, { reason: 'internal-error' }>,
  closing: Closing,
): Message {
  const job = closing.last.at === 'waiting' ? closing.last.seen.job : undefined;
  if (job === undefined || isFinal(job.status) || reason === 'job-not-found') {
    return { heading: errorHeading, sentence: message, next: '' };
  }
  return {
    heading: errorHeading,
    sentence: `${message} Job ${job.id} may keep running, so afterwards ${orReRun(closing)}run this action with job-id ${job.id} and no prompt to wait for it.`,
    // The report has the sentence, too.
    next: whatReRunDoes(closing),
  };
}

function internalError({ errorName, phase }: InternalErrorResult, closing: Closing): Message {
  const what = `this action hit an internal error (${errorName})`;
  const { heading, sentence } = stopped(errorHeading, what, phase, closing);
  const report = 'Please report what the log says with debug logging enabled.';
  const next = phase === 'waiting' ? whatReRunDoes(closing) : '';
  return { heading, sentence: `${sentence} ${report}`, next };
}

/**
 * The message of a step that was stopped. It keeps people from losing the job, or paying for two.
 * @param cause what stopped it, as a main clause
 */
function stopped(heading: string, cause: string, phase: Phase, closing: Closing): Message {
  const jobId = jobIdOf(closing.last);
  const isFollowUp = sentBy(closing.last) === 'follow-up';
  switch (phase) {
    case 'before': {
      const missed = isFollowUp ? `the follow-up was sent to job ${jobId}` : 'a job was started';
      return { heading, sentence: `${capitalised(cause)} before ${missed}.`, next: '' };
    }
    case 'sending': {
      const parts: Omit<Parts, 'heading'> = isFollowUp
        ? {
            lead: `Mintlify may have received the follow-up: then the job ${costs(closing.last)}.`,
            what: `${capitalised(cause)} while a follow-up was being sent to job ${jobId}, so Mintlify may have received it`,
            advice: ({ dashboard }) => `check the job in ${dashboard} before you send it again`,
          }
        : {
            lead: `A job may have been started: then it ${costs(closing.last)}.`,
            what: `${capitalised(cause)} while a job was being started, so a job may exist and keep running`,
            advice: ({ dashboard }) => `look for it in ${dashboard} before you start another one`,
          };
      return advised({ heading, ...parts }, closing);
    }
    case 'waiting': {
      const does = whatOfJob(closing.last);
      return advised(
        {
          heading,
          lead: leadOf(closing),
          what: `Job ${jobId} ${does}, although ${cause}`,
          advice: howItEnds(jobId, closing),
          more: whatReRunDoes(closing),
        },
        closing,
      );
    }
  }
}

function whatOfJob(stage: Reached): string {
  const job = jobOf(stage);
  if (job !== undefined && isFinal(job.status)) {
    return `was last seen ${job.status}`;
  }
  return isSeenActive(stage) ? stillRuns(stage) : mayStillRun(stage);
}

/** Whether the last poll returned the job, and showed that it has not ended. */
function isSeenActive(stage: Reached): boolean {
  const job = jobOf(stage);
  const hasFailed = stage.at === 'waiting' && stage.seen.retryState.failuresInRow > 0;
  const isAssumed = stage.at === 'waiting' && isAssumedActive(stage.seen);
  return job !== undefined && !isFinal(job.status) && !hasFailed && !isAssumed;
}

/** What the report says first of a job whose end this step did not see. */
function leadOf({ last, askedAtMs }: Closing): string {
  const job = jobOf(last);
  if (job !== undefined && isFinal(job.status)) {
    return `The job was last seen ${job.status}.`;
  }
  const was = isSeenActive(last) ? 'was still running' : 'may still have been running';
  return `At ${moment(askedAtMs)}, the job ${was}: it ${costs(last)}.`;
}

/** What to do to find out how a job ends: wait for it by its id, or where a re-run finds it, by a re-run. */
function howItEnds(jobId: string, closing: Closing): Advice {
  return ({ word }) => {
    const label = labelToPut(closing);
    const same = label === '' ? '' : `, the same ${word('pr-label')}`;
    return `to find out how it ends, ${orReRun(closing)}run this action with ${word('job-id')} ${word(jobId)}${same} and no prompt`;
  };
}

/** The label that only a run which waits for the job can put on its pull request; empty for none. */
function labelToPut({ last }: Closing): string {
  const { inputs } = last;
  // A pull request that this run has found has it already.
  const hasIt = last.at !== 'before' && last.plan.kind === 'continue' && inputs?.job.kind !== 'id';
  return hasIt ? '' : (inputs?.label ?? '');
}

/** The first half of the advice to wait again, where a re-run finds the job. */
function orReRun(closing: Closing): string {
  return isResumable(closing) ? 're-run this workflow, or ' : '';
}

function isResumable({ last, kept }: Closing): boolean {
  return kept === 'kept' && last.inputs?.onRerun === 'resume';
}

/**
 * What a re-run does, where it does not simply wait for the job. "Re-run jobs" is the button that most people
 * press first, and it can start a second paid job.
 */
function whatReRunDoes(closing: Closing): string {
  const { last, kept } = closing;
  if (isResumable(closing)) {
    return '';
  }
  if (kept === 'pending' && last.inputs?.onRerun === 'resume') {
    return 'Re-running the workflow also waits for this job, unless its record could not be saved in time.';
  }
  return sentenceOf(whatReRunSends(last));
}

/**
 * What a re-run does about the open pull request of a job that it does not resume, as a main clause; `undefined`
 * if it does not look for one.
 */
function whatReRunDoesInOpen(stage: Reached): string | undefined {
  const { inputs } = stage;
  if (inputs?.job.kind !== 'new' || lastLinkOf(stage) === undefined) {
    return undefined;
  }
  switch (inputs.onOpenPullRequest) {
    case 'new':
      return undefined;
    case 'skip':
      return 're-running the workflow starts nothing as long as the pull request is open';
    case 'continue':
      return 're-running the workflow sends the prompt to this job again, or starts a second job if this one takes no follow-up';
  }
}

/** What a re-run does that resumes no job, as a main clause; empty if that is not known. */
function whatReRunSends(last: Reached): string {
  switch (sentBy(last)) {
    case undefined:
      return '';
    case 'new':
      return 're-running the workflow starts a second job';
    case 'follow-up':
      return 're-running the workflow sends the follow-up again';
    case 'nothing':
      return 're-running the workflow waits for the same job again';
  }
}
