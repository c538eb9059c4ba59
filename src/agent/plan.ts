import type { SkippedResult } from '../common/result.ts';
import { threadName } from '../github/names.ts';
import { listed, quoted } from '../text/plain.ts';
import { type EarlierAttempt, type Found, isResumed } from './earlier/find.ts';
import { hashesOf, type JobRecord } from './earlier/record.ts';
import type { StartedJob } from './job/started-job.ts';
import type { Prompt } from './prompt/prompt.ts';
import { docsRepositoryOf, type Request } from './request.ts';
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
      readonly started: StartedJob;
    }
  /** Wait for a job that another step or run started. */
  | { readonly kind: 'wait'; readonly jobId: string }
  | {
      readonly kind: 'nothing';
      readonly result: SkippedResult;
      /** The job that the event is about; empty if there is none. */
      readonly jobId: string;
    };

/** A plan, and what the log says about how it came about. */
export interface Decision {
  readonly plan: Plan;
  readonly notes: readonly Note[];
}

/** One sentence for the log. */
export interface Note {
  readonly level: 'info' | 'notice' | 'warning';
  readonly text: string;
}

const info = (text: string): Note => ({ level: 'info', text });
const notice = (text: string): Note => ({ level: 'notice', text });
const warning = (text: string): Note => ({ level: 'warning', text });

/** Decides what a run does, from what is asked and what earlier runs left. Pure. */
export function decide(request: Request, found: Found): Decision {
  const { inputs, prompt } = request;
  const { attempt, pullRequest } = found;
  if (inputs.job.kind === 'of-pull-request' && pullRequest === undefined) {
    return { plan: nothing(whyNoJob(request)), notes: [] };
  }
  const jobId = inputs.job.kind === 'id' ? inputs.job.id : (pullRequest?.jobId ?? '');
  if (prompt === undefined) {
    return { plan: { kind: 'wait', jobId }, notes: [] };
  }
  if (isResumed(attempt)) {
    const { record, started } = attempt;
    return { plan: { kind: 'resume', record, started }, notes: notesOnResume(record, prompt) };
  }
  const notes = notesOnAttempt(attempt);
  if (inputs.job.kind === 'new') {
    const more = [...notes, ...notesOnSearch(request, found)];
    return pullRequest === undefined
      ? { plan: { kind: 'new', prompt }, notes: more }
      : decideOnOpen(request, pullRequest, prompt, more);
  }
  return inputs.job.kind === 'of-pull-request' && pullRequest?.isOpen === false
    ? { plan: nothing(whyClosed(request), jobId), notes }
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
    return {
      plan: nothing({ result: 'skipped', reason: 'pull-request-open', message, level: 'notice' }),
      notes,
    };
  }
  const note = info(`This run continues in ${link.url}, which job ${jobId} opened.`);
  return { plan: { kind: 'continue', jobId, prompt }, notes: [...notes, note] };
}

function nothing(result: SkippedResult, jobId = ''): Plan {
  return { kind: 'nothing', result, jobId };
}

function whyNoJob(request: Request): SkippedResult {
  const { thread } = request.access.event;
  return thread?.isPullRequest === true
    ? noJob(
        `no job of this project is known to have opened pull request ${nameOfThread(request)}`,
        'give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found',
      )
    : noJob(
        `${nameOfThread(request)} is not a pull request`,
        'comment on a pull request that the agent has opened',
      );
}

function nameOfThread({ access, repository }: Request): string {
  const { thread } = access.event;
  return thread === undefined ? 'the event' : threadName({ repository, number: thread.number });
}

function whyClosed(request: Request): SkippedResult {
  return noJob(
    `pull request ${nameOfThread(request)} is merged or closed`,
    'reopen it if it was only closed, or start a new job for what is left to do',
  );
}

/**
 * @param problem why there is no job to send something to; follows "because"
 * @param advice what to do about it; follows a colon
 */
function noJob(problem: string, advice: string): SkippedResult {
  return {
    result: 'skipped',
    reason: 'no-job-for-pull-request',
    message: `Nothing was sent, because ${problem}: ${advice}.`,
    level: 'notice',
  };
}

function notesOnResume(record: JobRecord, prompt: Prompt): readonly Note[] {
  return record.promptHash === hashesOf(prompt).promptHash
    ? []
    : [
        notice(
          `The prompt differs from the one that attempt ${record.attempt} sent, and is not sent: job ${record.jobId} continues with the earlier one. To send the new prompt, start a new run.`,
        ),
      ];
}

/** Why a run does not resume the job of an earlier attempt. */
function notesOnAttempt(attempt: EarlierAttempt): readonly Note[] {
  switch (attempt.kind) {
    case 'not-searched':
      return [];
    case 'none':
      return [
        info(
          'No record of an earlier attempt of this run was found: either none came so far that a job could be resumed, or its record is gone.',
        ),
      ];
    case 'forged':
      return [
        warning(
          'The record of an earlier attempt is not used, because its signature does not fit this step and API key: no job is resumed, and an earlier one may still be active.',
        ),
      ];
    case 'no-store':
      return [
        warning(
          'Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: no job is resumed, and an earlier one may still be active.',
        ),
      ];
    case 'found': {
      const { job, record } = attempt;
      return [
        job === undefined
          ? warning(
              `Attempt ${record.attempt} of this run started job ${record.jobId}, which Mintlify does not know any more: it is not resumed.`,
            )
          : info(
              `Attempt ${record.attempt} of this run ended with job ${job.id}, which ${statusTraits[job.status].whyNotResumed}: it is not resumed.`,
            ),
      ];
    }
  }
}

/** People may have put the label on other pull requests, or written a comment like ours. */
function notesOnSearch(request: Request, { pullRequest, passedOver }: Found): readonly Note[] {
  if (passedOver.length === 0) {
    return [];
  }
  const repository = docsRepositoryOf(request);
  const each = passedOver.map(({ number, why }) => `${threadName({ repository, number })} ${why}`);
  const what = pullRequest === undefined ? 'starts a new job' : 'continues in an older one';
  const text = `This run ${what}, because ${listed(each)}.`;
  return [passedOver.some(({ level }) => level === 'warning') ? warning(text) : notice(text)];
}
