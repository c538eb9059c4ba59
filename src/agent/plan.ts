import type { SkippedResult } from '../common/result.ts';
import { threadName } from '../github/names.ts';
import type { Environment } from '../runner/environment.ts';
import { listed, quoted } from '../text/plain.ts';
import { type EarlierAttempt, type Found, isResumed } from './earlier/find.ts';
import { hashesOf, type JobRecord } from './earlier/record.ts';
import type { PolledJob } from './job/polled-job.ts';
import type { Progress } from './job/progress.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { Request } from './request.ts';
import { statusTraits } from './result.ts';

/** What a run does. */
export type Plan =
  /** Start a job. */
  | { readonly kind: 'new'; readonly prompt: Prompt }
  /** Send the prompt to a job as a follow-up. */
  | { readonly kind: 'continue'; readonly jobId: string; readonly prompt: Prompt }
  /** Wait for the job that an earlier attempt of this run started; its prompt was sent. */
  | {
      readonly kind: 'resume';
      readonly record: JobRecord;
      readonly started: PolledJob;
      /** What the API has just returned. */
      readonly progress: Progress;
    }
  /** Wait for a job that another step or run started. */
  | { readonly kind: 'wait'; readonly jobId: string }
  | {
      readonly kind: 'nothing';
      readonly result: SkippedResult;
      /** The job of the event's pull request, for the output job-id; empty if that job is not asked for or not known. */
      readonly jobId: string;
    };

/** A plan, and what the log says about the reasons for it. */
export interface Decision {
  readonly plan: Plan;
  readonly notes: readonly Note[];
}

/** One sentence for the log. */
export interface Note {
  readonly level: 'info' | 'notice' | 'warning';
  readonly text: string;
}

const info = (text: string): readonly Note[] => [{ level: 'info', text }];
const notice = (text: string): readonly Note[] => [{ level: 'notice', text }];
const warning = (text: string): readonly Note[] => [{ level: 'warning', text }];

/** Decides what a run does, from the request and from what earlier runs left. Pure. */
export function decide(
  request: Request,
  found: Found,
  environment: Pick<Environment, 'repository'>,
): Decision {
  const { inputs, prompt } = request;
  const { attempt, pullRequest } = found;
  if (inputs.job.kind === 'of-pull-request' && pullRequest === undefined) {
    return { plan: sendNothing(request, '', environment), notes: [] };
  }
  const jobId = inputs.job.kind === 'id' ? inputs.job.id : (pullRequest?.jobId ?? '');
  if (prompt === undefined) {
    return { plan: { kind: 'wait', jobId }, notes: [] };
  }
  if (isResumed(attempt)) {
    const { record, started, progress } = attempt;
    return {
      plan: { kind: 'resume', record, started, progress },
      notes: noteOnResume(record, prompt),
    };
  }
  const notes = [...noteOnAttempt(attempt), ...noteOnSearch(found)];
  if (inputs.job.kind === 'new') {
    return pullRequest === undefined
      ? { plan: { kind: 'new', prompt }, notes }
      : decideOnOpen(request, pullRequest, prompt, notes);
  }
  return inputs.job.kind === 'of-pull-request' && pullRequest?.isOpen === false
    ? { plan: sendNothing(request, jobId, environment), notes }
    : { plan: { kind: 'continue', jobId, prompt }, notes };
}

function decideOnOpen(
  { inputs: { label, onOpenPullRequest } }: Request,
  { jobId, link }: NonNullable<Found['pullRequest']>,
  prompt: Prompt,
  notes: readonly Note[],
): Decision {
  if (onOpenPullRequest === 'skip') {
    const message = `Nothing was started, because the pull request of an earlier run is still open: merge or close ${link.url}, or take the label ${quoted(label)} off it, and then run the workflow again.`;
    return { plan: nothing('pull-request-open', message), notes };
  }
  const note = info(`This run continues in ${link.url}, which job ${jobId} opened.`);
  return { plan: { kind: 'continue', jobId, prompt }, notes: [...notes, ...note] };
}

/**
 * The plan of a run that cannot send its prompt to the job of the event's pull request.
 * @param jobId the job, if the pull request is merged or closed; empty if no job is known
 */
function sendNothing(
  { access }: Request,
  jobId: string,
  { repository }: Pick<Environment, 'repository'>,
): Plan {
  const { thread } = access.event;
  const name =
    thread === undefined ? 'the event' : threadName({ repository, number: thread.number });
  const isPullRequest = thread?.isPullRequest === true;
  const ofNoJob = isPullRequest
    ? `no job of this project is known to have opened pull request ${name}: give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found`
    : `${name} is not a pull request: comment on a pull request that the agent has opened`;
  const why =
    jobId === ''
      ? ofNoJob
      : `pull request ${name} is merged or closed: reopen it if it was only closed, or start a new job for what is left to do`;
  const message = `Nothing was sent, because ${why}.`;
  return nothing('no-job-for-pull-request', message, jobId);
}

function nothing(reason: SkippedResult['reason'], message: string, jobId = ''): Plan {
  return {
    kind: 'nothing',
    result: { result: 'skipped', reason, message, level: 'notice' },
    jobId,
  };
}

function noteOnResume({ attempt, jobId, promptHash }: JobRecord, prompt: Prompt): readonly Note[] {
  const text = `The prompt differs from the one that attempt ${attempt} sent, and is not sent: job ${jobId} continues with the earlier one. To send the new prompt, start a new run.`;
  return promptHash === hashesOf(prompt).promptHash ? [] : notice(text);
}

/** Why a run does not resume the job of an earlier attempt. */
function noteOnAttempt(attempt: EarlierAttempt): readonly Note[] {
  switch (attempt.kind) {
    case 'not-searched':
      return [];
    case 'none':
      return info(
        'No record of an earlier attempt of this run was found: either none came so far that a job could be resumed, or its record is gone or signed with another API key.',
      );
    case 'no-store':
      return warning(
        'Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: no job is resumed, and an earlier one may still be active.',
      );
    case 'found': {
      const { progress, record } = attempt;
      const who = `Attempt ${record.attempt} of this run`;
      return progress === undefined
        ? warning(
            `${who} started job ${record.jobId}, which Mintlify does not know any more: it is not resumed.`,
          )
        : info(
            `${who} ended with job ${record.jobId}, which ${statusTraits[progress.job.status].past}: it is not resumed.`,
          );
    }
  }
}

/** Says which labelled pull requests the run does not continue: people may label others, or copy our comment. */
function noteOnSearch({ pullRequest, doubts }: Found): readonly Note[] {
  if (doubts.length === 0) {
    return [];
  }
  const what = pullRequest === undefined ? 'starts a new job' : 'continues in an older one';
  return notice(`This run ${what}, because ${listed(doubts)}.`);
}
