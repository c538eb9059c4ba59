import { isFinal } from '../../platform/job.ts';
import { duration, moment } from '../../text/duration.ts';
import { capitalised } from '../../text/plain.ts';
import type { Saved } from '../earlier/keep-record.ts';
import { isUnseen } from '../job/follow-up.ts';
import { isAssumedActive } from '../job/progress.ts';
import { adviceOnRequest } from '../job/start.ts';
import { type Result, type ResultName, statusTraits } from '../result.ts';
import { type Ended, handedOverIn, jobIdOf, jobOf, linkOf, recordOf, type Work } from '../stage.ts';
import { isClosed, nameOf } from './pull-request.ts';

/** How the log, the summary and the comment report a result, in plain text that still has to be escaped. */
export interface Message {
  /** In our own words, so that it needs no escaping. */
  readonly heading: string;
  /** The sentence that the log ends with. */
  readonly sentence: string;
  /** What the report says below its heading; empty if the heading is enough. */
  readonly lead: string;
  /** What to do next, in sentences; empty if there is nothing to do. */
  readonly next: string;
}

export function messageOf(ended: Ended): Message {
  const { result, last } = ended;
  switch (result.result) {
    case 'pull-request':
      return pullRequest(result, ended);
    case 'no-pull-request':
      return {
        heading: 'No pull request was opened',
        sentence: `Job ${result.job.id} completed without opening a pull request.`,
        lead: '',
        next: 'If you expected a change, open the job in the dashboard. Either no file needed a change, or the project lets the agent push straight to its branch.',
      };
    case 'failed':
    case 'archived':
      return endedBadly(result, ended);
    case 'timed-out': {
      const waited = duration(last.inputs?.waitMs ?? 0);
      const { lastProblem } = result;
      const problem = lastProblem === undefined ? '' : `, and ${lastProblem}`;
      return unfinished(
        'The waiting time is over',
        `The waiting time of ${waited} is over${problem}.`,
        ended,
      );
    }
    case 'running':
      return unfinished(
        'This run does not wait for the agent',
        'With wait-minutes 0, this step does not wait.',
        ended,
      );
    case 'ready': {
      const lead =
        'Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.';
      return {
        heading: 'Dry run: ready',
        sentence: `Nothing was started. ${lead}`,
        lead,
        next: 'Set dry-run to false for a real run.',
      };
    }
    case 'cancelled':
      return stopped('Cancelled', 'The run was cancelled.', ended);
    case 'skipped':
      return explained('Skipped', result.message);
    case 'error':
      return error(result, ended);
  }
}

/** A message that says what happened, with nothing to do next. */
function explained(heading: string, sentence: string): Message {
  return { heading, sentence, lead: sentence, next: '' };
}

/**
 * A message that says what happened and what to do.
 * @param what a main clause
 * @param clauses main clauses; the empty ones are left out
 */
function advised(heading: string, what: string, ...clauses: readonly string[]): Message {
  const known = clauses.filter((clause) => clause !== '');
  return {
    heading,
    sentence: `${what}: ${known.join('; ')}.`,
    lead: `${what}.`,
    next: known.map((clause) => `${capitalised(clause)}.`).join(' '),
  };
}

type ResultOf<Name extends ResultName> = Result & { readonly result: Name };

function pullRequest({ job, link }: ResultOf<'pull-request'>, { last }: Ended): Message {
  const handedOver = handedOverIn(last);
  const isOver = handedOver !== undefined && isClosed(handedOver);
  const [heading, did] = textsOn(handedOver?.work ?? { kind: 'unknown' });
  return {
    heading,
    sentence: `Job ${job.id} ${did}${isOver ? '; it is merged or closed by now' : ''}: ${link.url}`,
    lead: '',
    next: isOver ? '' : 'Review the pull request before it is merged.',
  };
}

function textsOn(work: Work): readonly [heading: string, did: string] {
  switch (work.kind) {
    case 'opened': {
      const opened =
        work.instead === undefined
          ? 'a pull request'
          : `a new pull request instead of continuing ${nameOf(work.instead)}`;
      return ['Pull request opened', `completed and opened ${opened}`];
    }
    case 'continued':
      return ['Pull request continued', 'completed and continued its pull request'];
    case 'unchanged':
      return ['Pull request unchanged', 'completed and added nothing to its pull request'];
    case 'unknown':
      return ['The job has completed', 'has completed and has a pull request'];
  }
}

function endedBadly({ result, job, link }: ResultOf<'failed' | 'archived'>, ended: Ended): Message {
  const pullRequest = link === undefined ? '' : `, whose pull request is ${link.url},`;
  const message = advised(
    { failed: 'The agent failed', archived: 'The job was archived' }[result],
    `Job ${job.id}${pullRequest} ${statusTraits[result].past}`,
    'open the job in the dashboard to see why',
    reRunTexts[reRunOf(ended)],
  );
  return { ...message, lead: '' };
}

/** Errors for these reasons say themselves what is known of the job. */
const reasonsOfJob: readonly string[] = [
  'job-not-found',
  'job-may-exist',
  'earlier-attempt-unknown',
];

function error(result: ResultOf<'error'>, ended: Ended): Message {
  const heading = 'The step ended with an error';
  if (result.reason === 'internal-error') {
    return stopped(heading, result.message, ended);
  }
  const { last } = ended;
  const job = jobOf(last);
  const mayRun =
    last.at === 'asking' || (last.at === 'waiting' && job !== undefined && !isFinal(job.status));
  return mayRun && !reasonsOfJob.includes(result.reason)
    ? unfinished(heading, result.message, ended)
    : explained(heading, result.message);
}

/**
 * The message of a step that was stopped. It keeps people from losing the job, or from paying for a second job.
 * @param why what stopped the step, as a sentence
 */
function stopped(heading: string, why: string, ended: Ended): Message {
  const { last } = ended;
  if (last.at === 'asking' || last.at === 'waiting') {
    return unfinished(heading, why, ended);
  }
  const record = recordOf(last);
  return record === undefined
    ? explained(heading, `${why} Nothing was started.`)
    : advised(heading, `${why} A request was being sent`, adviceOnRequest(record.jobId));
}

/**
 * The message of a step that ended before its job.
 * @param why why the step ended, as a sentence
 */
function unfinished(heading: string, why: string, ended: Ended): Message {
  const what = `${why} Job ${jobIdOf(ended.last)} ${stateOf(ended)}`;
  const how = `to get its result, ${waysToWait(ended).join(', or ')}`;
  return advised(heading, what, how, reRunTexts[reRunOf(ended)]);
}

/** What the last poll has shown of the job, and when: nobody updates the message later. */
function stateOf({ last, askedAtMs }: Ended): string {
  const job = jobOf(last);
  if (job !== undefined && isFinal(job.status)) {
    return statusTraits[job.status].now;
  }
  const isSeen =
    last.at === 'waiting' &&
    job !== undefined &&
    last.seen.retryState.failuresInRow === 0 &&
    !isAssumedActive(last.seen);
  const was = isSeen ? 'was running' : 'may have been running';
  return `${was} at ${moment(askedAtMs)}, costs credits until it ends, and may still open or change a pull request`;
}

/** How to wait for the job again. */
function waysToWait(ended: Ended): readonly string[] {
  const { last } = ended;
  const { inputs } = last;
  // A re-run of a step that does not wait does not wait either.
  const canReRun = inputs?.waitMs !== 0 && reRunOf(ended) === 'waits';
  // A run that has only the id cannot tell whether the job's end is older than the follow-up.
  const isUnsure = isUnseen(recordOf(last)?.followUp);
  const label = inputs?.label ? ', the same pr-label' : '';
  const ways = [
    ...(canReRun ? ['re-run the workflow'] : []),
    ...(isUnsure ? [] : [`run this action with job-id ${jobIdOf(last)}${label} and no prompt`]),
  ];
  return ways.length === 0 ? ['open the job in the dashboard'] : ways;
}

/**
 * Warns that the record of the job is saved nowhere in the end, unless the message has said so.
 * @param saved whether a re-run finds the record, once that is known
 */
export function lossWarning(saved: Saved, ended: Ended): string | undefined {
  const reRun = reRunTexts[reRunOf({ ...ended, saved })];
  if (saved.kind === 'saved' || ended.saved.kind === 'unavailable' || reRun === '') {
    return undefined;
  }
  const jobId = jobIdOf(ended.last);
  const job = jobId === '' ? 'a job that may exist' : `job ${jobId}`;
  const why =
    saved.kind === 'failed' ? saved.problem : 'this run has neither a comment nor a cache service';
  return `The record of ${job} could not be saved, because ${why}: ${reRun}.`;
}

/**
 * What a re-run of the workflow does about the step's job. "Re-run jobs" is the button that most people press first, and
 * it can start a second paid job.
 */
type ReRun = 'waits' | 'waits-if-saved' | 'skips' | 'sends-again' | 'starts-another';

function reRunOf({ last, saved }: Ended): ReRun {
  const { inputs } = last;
  const record = recordOf(last);
  if (record === undefined) {
    // A run that only waits for a job needs no record.
    return 'waits';
  }
  const isResumed = !statusTraits[jobOf(last)?.status ?? 'active'].hasEndedBadly;
  if (isResumed && (saved.kind === 'saved' || saved.kind === 'pending')) {
    return saved.kind === 'saved' ? 'waits' : 'waits-if-saved';
  }
  const isOpen = inputs?.job.kind === 'new' && linkOf(last) !== undefined;
  const onOpen = isOpen ? inputs.onOpenPullRequest : 'new';
  if (onOpen === 'skip') {
    return 'skips';
  }
  return onOpen === 'continue' || record.followUp !== undefined ? 'sends-again' : 'starts-another';
}

/** What a message says about a re-run, as a main clause; empty if people lose nothing by it. */
const reRunTexts = {
  waits: '',
  'waits-if-saved':
    're-running the workflow also waits for this job, unless a warning says that its record could not be saved',
  skips: '',
  'sends-again': 're-running the workflow sends the prompt to this job again',
  'starts-another': 're-running the workflow starts a second job',
} as const satisfies Readonly<Record<ReRun, string>>;
