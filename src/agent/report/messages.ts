import { isFinal } from '../../platform/job.ts';
import type { FoundLink } from '../../platform/pull-request-link.ts';
import { duration, moment } from '../../text/duration.ts';
import { code, ownLink, prose } from '../../text/markdown.ts';
import type { Saved } from '../earlier/keep-record.ts';
import { isAssumedActive } from '../job/progress.ts';
import {
  type InternalErrorResult,
  type Phase,
  type Result,
  type ResultName,
  statusTraits,
} from '../result.ts';
import {
  type Closing,
  handedOverIn,
  jobIdOf,
  jobOf,
  lastLinkOf,
  linkOf,
  type Message,
  planOf,
  sentBy,
} from '../stage.ts';
import { isClosed, nameOf, type Work, workOf } from './pull-request.ts';

export function messageOf(closing: Closing): Message {
  const { result } = closing;
  switch (result.result) {
    case 'pull-request':
      return pullRequest(result, closing);
    case 'no-pull-request':
      return noPullRequest(result, closing);
    case 'failed':
    case 'archived':
      return endedBadly(result, closing);
    case 'timed-out':
      return timedOut(result, closing);
    case 'running':
      return running(closing);
    case 'ready':
      return ready;
    case 'cancelled':
      return stopped('The run was cancelled', 'the run was cancelled', result.phase, closing);
    case 'skipped':
      return explained('Skipped', result.message);
    case 'error':
      return result.reason === 'internal-error'
        ? internalError(result, closing)
        : failedWith(result, closing);
  }
}

/** The message of a result that only the log's sentence explains, so the report has it, too. */
function explained(heading: string, sentence: string, next = ''): Message {
  return { heading, sentence, lead: prose(sentence), next };
}

type ResultOf<Name extends ResultName> = Result & { readonly result: Name };

function pullRequest(result: ResultOf<'pull-request'>, closing: Closing): Message {
  const { last } = closing;
  const handedOver = handedOverIn(last);
  const { count = 1 } = handedOver?.continuation ?? {};
  const round = count < 2 ? '' : ` in round ${count}`;
  const isOver = isClosed(last);
  const where = `${isOver ? '; it is merged or closed by now' : ''}: ${result.url}`;
  const messageWith = (heading: string, did: string, next: string): Message => ({
    heading,
    sentence: `Job ${result.job.id} ${did}${where}`,
    next,
  });
  const review = isOver ? '' : 'Review the pull request before it is merged.';
  if (last.at === 'waiting' && last.started.source === 'attached') {
    // Another run sent the prompt, so what came of it is not known here.
    return messageWith(completed, 'has completed and has a pull request', review);
  }
  const compare =
    'Compare its branch with the base branch, and run the workflow again for what is missing.';
  const work: Work = handedOver ? workOf(handedOver) : { kind: 'unknown' };
  switch (work.kind) {
    case 'opened': {
      const did = `completed and opened ${openedBy(work)}`;
      return messageWith('Pull request opened', did, review);
    }
    case 'unchanged': {
      const did = `completed and added nothing to its pull request${round}`;
      return messageWith(`Pull request unchanged${round}`, did, review);
    }
    case 'unknown': {
      const did = `has completed, and what it added to its pull request${round} is not known`;
      return messageWith(`${completed}${round}`, did, isOver ? compare : review);
    }
    case 'continued': {
      const did = `completed and continued its pull request${round}`;
      const reviewNew = 'Review what is new in the pull request before it is merged.';
      return messageWith(`Pull request continued${round}`, did, isOver ? compare : reviewNew);
    }
  }
}

function openedBy({ insteadOf }: { readonly insteadOf: FoundLink | undefined }): string {
  return insteadOf === undefined
    ? 'a pull request'
    : `a new pull request instead of continuing ${nameOf(insteadOf)}`;
}

/** The heading if it is not known what the agent did. */
const completed = 'The job has completed';

function noPullRequest({ job }: ResultOf<'no-pull-request'>, closing: Closing): Message {
  const parts: Parts = {
    heading: 'No pull request was opened',
    what: `Job ${job.id} completed without opening a pull request`,
    advice: ({ dashboard }) => `if you expected a change, open the job in ${dashboard}`,
    more: 'either no file needed one, or the project lets the agent push straight to its branch',
  };
  return { ...advised(parts, closing), sentence: `${parts.what}.` };
}

function endedBadly(
  { result, job, url }: ResultOf<'failed' | 'archived'>,
  closing: Closing,
): Message {
  const pullRequest = url === undefined ? '' : `, whose pull request is ${url},`;
  const without = result === 'archived' && url === undefined ? ' without a pull request' : '';
  return advised(
    {
      heading: { failed: 'The agent failed', archived: 'The job was archived' }[result],
      what: `Job ${job.id}${pullRequest} ${statusTraits[result].whyNotResumed}${without}`,
      advice: ({ dashboard }) => `open the job in ${dashboard} to see why`,
      end: reRunOf(closing),
    },
    closing,
  );
}

function timedOut({ job, lastProblem }: ResultOf<'timed-out'>, closing: Closing): Message {
  const { last } = closing;
  const waited = duration(last.inputs?.waitMs ?? 0);
  const isAssumed = last.at === 'waiting' && isAssumedActive(last.seen);
  const since = isAssumed ? '' : `since the job was last seen ${job.status}, `;
  const problem = lastProblem === undefined ? '' : `, and ${since}${lastProblem}`;
  const why = `but the waiting time of ${waited} is over${problem}`;
  return endedBefore('The waiting time is over', why, closing);
}

function running(closing: Closing): Message {
  const { last } = closing;
  const jobId = jobIdOf(last);
  const { isActive, lead } = outlookOf(closing);
  const runs = isActive ? 'still runs' : 'may still run';
  const byEarlierAttempt =
    sentBy(last) === 'follow-up'
      ? 'to which an earlier attempt of this run sent the follow-up'
      : 'which an earlier attempt of this run started';
  const what = {
    created: `Job ${jobId} was started`,
    'followed-up': `The follow-up was sent to job ${jobId}`,
    attached: `Job ${jobId} ${runs}`,
    resumed: `Job ${jobId}, ${byEarlierAttempt}, ${runs}`,
  }[last.at === 'waiting' ? last.started.source : 'attached'];
  const parts = {
    heading: 'This run does not wait for the agent',
    lead,
    what: `${what}, and this step does not wait for it to end`,
    advice: howItEnds(closing),
  };
  return { ...advised(parts, closing), sentence: `${parts.what}.` };
}

const leftOpen =
  'Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.';

const ready: Message = {
  heading: 'Dry run: ready',
  sentence: `Nothing was started. ${leftOpen}`,
  lead: leftOpen,
  next: 'Set dry-run to false for a real run.',
};

const errorHeading = 'The step ended with an error';

function internalError({ errorName, phase }: InternalErrorResult, closing: Closing): Message {
  const what = `this action hit an internal error (${errorName})`;
  const { heading, lead = '', sentence, next } = stopped(errorHeading, what, phase, closing);
  const report = 'Please report what the log says with debug logging enabled.';
  return {
    heading,
    sentence: `${sentence} ${report}`,
    lead: phase === 'before' ? lead : `${prose(sentenceOf(what))} ${lead}`,
    next: [next, report].filter((part) => part !== '').join(' '),
  };
}

/** Errors for these reasons say themselves what is known of the job. */
const reasonsOfJob: readonly string[] = [
  'job-not-found',
  'job-may-exist',
  'earlier-attempt-unknown',
];

/** The message for an error. A job that was started may keep running, so the message then says how to wait for it. */
function failedWith(
  { reason, message }: Exclude<ResultOf<'error'>, { reason: 'internal-error' }>,
  closing: Closing,
): Message {
  const { last } = closing;
  const job = jobOf(last);
  const mayRun = last.at === 'asking' || (last.at === 'waiting' && job && !isFinal(job.status));
  if (!mayRun || reasonsOfJob.includes(reason)) {
    return explained(errorHeading, message);
  }
  return explained(
    errorHeading,
    `${message} Job ${jobIdOf(last)} may keep running, so afterwards ${waitAgain(closing)(plain)} to find out how it ends.`,
    sentenceOf(reRunOf(closing)),
  );
}

/**
 * The message of a step that was stopped. It keeps people from losing the job, or from paying for a second job.
 * @param cause what stopped it, as a main clause
 */
function stopped(heading: string, cause: string, phase: Phase, closing: Closing): Message {
  const jobId = jobIdOf(closing.last);
  const sent = sentBy(closing.last) ?? 'new';
  switch (phase) {
    case 'before': {
      const job = jobId === '' ? 'the job of the pull request' : `job ${jobId}`;
      const missed = {
        new: 'a job was started',
        'follow-up': `the follow-up was sent to ${job}`,
        nothing: `it waited for ${job}`,
      }[sent];
      const sentence = `${capitalised(cause)} before ${missed}.`;
      return explained(heading, sentence);
    }
    case 'sending': {
      const { costs } = outlookOf(closing);
      const parts: Omit<Parts, 'heading'> =
        sent === 'follow-up'
          ? {
              lead: `Mintlify may have received the follow-up: then the job ${costs}.`,
              what: `${capitalised(cause)} while a follow-up was being sent to job ${jobId}, so Mintlify may have received it`,
              advice: ({ dashboard }) => `check the job in ${dashboard} before you send it again`,
            }
          : {
              lead: `A job may have been started: then it ${costs}.`,
              what: `${capitalised(cause)} while a job was being started, so a job may exist and keep running`,
              advice: ({ dashboard }) => `look for it in ${dashboard} before you start another one`,
            };
      return advised({ heading, ...parts }, closing);
    }
    case 'waiting':
      return endedBefore(heading, `although ${cause}`, closing);
  }
}

/**
 * The message of a step that ended before its job.
 * @param why follows a comma
 */
function endedBefore(heading: string, why: string, closing: Closing): Message {
  const { now, lead } = outlookOf(closing);
  return advised(
    {
      heading,
      lead,
      what: `Job ${jobIdOf(closing.last)} ${now}, ${why}`,
      advice: howItEnds(closing),
      more: reRunOf(closing),
    },
    closing,
  );
}

/** What is known of a job whose end this step has not seen. */
interface Outlook {
  /** Whether the last response showed that the agent works. */
  readonly isActive: boolean;
  /** What the job does until its end. */
  readonly costs: string;
  /** What the log says; follows the job's id. */
  readonly now: string;
  /** What the report says, which has to stay true: nobody updates the report of a step that has ended. */
  readonly lead: string;
}

function outlookOf({ last, askedAtMs }: Closing): Outlook {
  const job = jobOf(last);
  const isActive =
    last.at === 'waiting' &&
    job !== undefined &&
    last.seen.retryState.failuresInRow === 0 &&
    !isAssumedActive(last.seen);
  const makes =
    lastLinkOf(last) === undefined ? 'open a pull request' : 'add commits to its pull request';
  const costs = `costs credits until it ends, and may ${makes}`;
  if (job !== undefined && isFinal(job.status)) {
    const now = `was last seen ${job.status}`;
    return { isActive: false, costs, now, lead: `The job ${now}.` };
  }
  const now = isActive
    ? `still runs, costs credits and may ${makes}`
    : `may still run, cost credits and ${makes}`;
  const was = isActive ? 'was still running' : 'may still have been running';
  return { isActive, costs, now, lead: `At ${moment(askedAtMs)}, the job ${was}: it ${costs}.` };
}

function howItEnds(closing: Closing): Advice {
  return (style) => `to find out how it ends, ${waitAgain(closing)(style)}`;
}

/** How to wait for the job again: by a re-run if that finds the job, or else with the job's id. */
function waitAgain(closing: Closing): Advice {
  const { last } = closing;
  const { inputs } = last;
  // A re-run of a step that does not wait does not wait either.
  const isFoundAgain = inputs?.waitMs !== 0 && reRunOf(closing) === undefined;
  if (last.at === 'waiting' && last.started.before !== undefined && !last.seen.wasActive) {
    // A run that has only the id cannot tell whether the job's end is older than the follow-up.
    return ({ dashboard }) =>
      isFoundAgain ? 're-run this workflow' : `open the job in ${dashboard}`;
  }
  // Only a run that waits for the job can label its pull request. A pull request that this run found has the label.
  const hasLabel = planOf(last)?.kind === 'continue' && inputs?.job.kind !== 'id';
  return ({ word }) => {
    const same = hasLabel || !inputs?.label ? '' : `, the same ${word('pr-label')}`;
    const orReRun = isFoundAgain ? 're-run this workflow, or ' : '';
    return `${orReRun}run this action with ${word('job-id')} ${word(jobIdOf(last))}${same} and no prompt`;
  };
}

/**
 * Warns that the record of the job is saved nowhere in the end, unless the message has said so.
 * @param saved whether a re-run finds the record, once that is known
 */
export function lossWarning(saved: Saved, closing: Closing): string | undefined {
  if (saved.kind === 'saved' || closing.saved.kind === 'unavailable') {
    return undefined;
  }
  const jobId = jobIdOf(closing.last);
  const job = jobId === '' ? 'a job that may exist' : `job ${jobId}`;
  const why =
    saved.kind === 'failed' ? saved.problem : 'this run has neither a comment nor a cache service';
  return `The record of ${job} could not be saved, because ${why}: ${reRunOf({ ...closing, saved })}.`;
}

/**
 * What a re-run does, as a main clause: `undefined` if it simply waits for the job again.
 * "Re-run jobs" is the button that most people press first, and it can start a second paid job.
 */
function reRunOf({ last, saved }: Closing): string | undefined {
  const { inputs } = last;
  const sent = sentBy(last);
  const { whyNotResumed } = statusTraits[jobOf(last)?.status ?? 'active'];
  const isResumed = whyNotResumed === undefined;
  if (sent === 'nothing' || (isResumed && saved.kind === 'saved')) {
    return undefined;
  }
  if (isResumed && saved.kind === 'pending') {
    return 're-running the workflow also waits for this job, unless a warning says that its record could not be saved';
  }
  const isFound = inputs?.job.kind === 'new' && linkOf(last) !== undefined;
  const inOpen = isFound ? inputs.onOpenPullRequest : 'new';
  if (inOpen === 'skip') {
    return 're-running the workflow starts nothing as long as the pull request is open';
  }
  if (inOpen === 'continue') {
    return 're-running the workflow sends the prompt to this job again, or starts a second job if this one takes no follow-up';
  }
  return sent === 'follow-up'
    ? 're-running the workflow sends the follow-up again'
    : 're-running the workflow starts a second job';
}

/** How advice is written: the words are the same in the log and in the report, but the report has links and code. */
interface Style {
  readonly dashboard: string;
  /** The name of an input, or its value. */
  word(text: string): string;
}

/** The style of the log. */
const plain: Style = { dashboard: 'the dashboard', word: (text) => text };

/** The beginning of a sentence, in lower case and without a full stop. */
type Advice = (style: Style) => string;

/** The parts of a message that says what to do, in the log and in the report. */
interface Parts {
  readonly heading: string;
  readonly lead?: string;
  /** What happened, as a main clause. */
  readonly what: string;
  readonly advice: Advice;
  /** A main clause that ends the sentence in the log and also stands in the report; empty for nothing. */
  readonly end?: string | undefined;
  /** A main clause that only the report has; empty for nothing. */
  readonly more?: string | undefined;
}

/** Puts together a message whose advice stands both in the log's sentence and in the report. */
function advised(
  { heading, lead, what, advice, end = '', more }: Parts,
  { last }: Closing,
): Message {
  const url = last.inputs?.api.dashboardUrl ?? '';
  const dashboard = url === '' ? 'the dashboard' : ownLink('the dashboard', url);
  return {
    heading,
    sentence: `${what}: ${advice(plain)}${end && `; ${end}`}.`,
    ...(lead !== undefined && { lead }),
    next: [advice({ dashboard, word: code }), end, more]
      .map(sentenceOf)
      .filter((sentence) => sentence !== '')
      .join(' '),
  };
}

/** A clause as a sentence; empty if there is no clause. */
function sentenceOf(clause = ''): string {
  return clause === '' ? '' : `${capitalised(clause)}.`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
