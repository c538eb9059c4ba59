import { code } from '../../text/markdown.ts';
import type { State } from '../state.ts';

/** How a result is reported to people. */
export interface Message {
  readonly heading: string;
  /** The sentence that the log ends with. Plain text that still has to be escaped. */
  readonly sentence: string;
  /** What to do next, in Markdown; empty if there is nothing to do. */
  readonly next: string;
}

export function howToWait(jobId: string, state: State): string {
  return `To wait for the job, ${withoutPrompt(jobId, state)}.`;
}

function withoutPrompt(jobId: string, state: State): string {
  const label = labelToPut(state);
  const same = label === '' ? '' : `, with the same <code>pr-label</code> ${code(label)},`;
  return `run this action with <code>job-id</code> ${code(jobId)}${same} and without a prompt`;
}

/** A run that ends before its job cannot mark the pull request; empty if none is to be marked. */
export function whoMarks(state: State): string {
  const label = labelToPut(state);
  return label === ''
    ? ''
    : ` The run that waits for the job puts the label "${label}" on its pull request, if it has the same pr-label.`;
}

/** The label that the pull request does not have yet; empty for none. */
function labelToPut({ inputs, life }: State): string {
  // A pull request that this run has found by its label has it.
  return life?.before === undefined ? (inputs?.openPullRequest.label ?? '') : '';
}

/** The first half of the advice to wait again, where a re-run finds the job. */
export function orReRun({ inputs, isResumable = false }: State): string {
  return isResumable && inputs?.onRerun === 'resume' ? 're-run this workflow, or ' : '';
}

/** How to wait for a job again: by its id, or where a re-run finds it, by a re-run. */
export function howToWaitAgain(jobId: string, state: State): string {
  return orReRun(state) === ''
    ? `${howToWait(jobId, state)} ${whatReRunDoes(state)}`.trimEnd()
    : `Re-run the workflow to wait for this job again, or ${withoutPrompt(jobId, state)}.`;
}

/** Many people press "Re-run jobs" first, which can start a second paid job. */
export function whatReRunDoes({ inputs, record, isResumable }: State): string {
  if (record !== undefined && isResumable === undefined && inputs?.onRerun === 'resume') {
    return 'Re-running the workflow also waits for this job, unless its record could not be saved in time.';
  }
  switch (inputs?.source.kind) {
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
