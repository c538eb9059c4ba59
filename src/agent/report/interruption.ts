import { isFinal } from '../../platform/job.ts';
import type { InternalErrorResult, Result } from '../result.ts';
import type { State } from '../state.ts';
import { howToWaitAgain, type Message, orReRun, whoMarks } from './advice.ts';

export const errorHeading = 'The step ended with an error';

/** Even after a bug in this action, the user must not lose the job or pay for a second one. */
export function internalError(
  { errorName, phase, jobId, lastStatus }: InternalErrorResult,
  state: State,
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
        next: howToWaitAgain(jobId, state),
      };
    }
  }
}

const lookBeforeFollowUp = 'Check the job in the dashboard before you send the follow-up again.';
const lookBeforeStart = 'Look for the job in the dashboard before you start another one.';

/** The message of a run that was cancelled, by what it was doing then. */
export function cancelled(
  { jobId, phase }: Result & { readonly result: 'cancelled' },
  state: State,
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
        sentence: `${heading}, but job ${jobId} keeps running: to wait for it, ${orReRun(state)}run this action with job-id ${jobId} and no prompt.${whoMarks(state)}`,
        next: howToWaitAgain(jobId, state),
      };
  }
}
