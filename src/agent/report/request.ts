import type { SkippedResult } from '../../common/reasons.ts';
import { code, codeBlock } from '../../text/markdown.ts';
import type { State } from '../state.ts';

/** Longer than a reviewer's remark, short enough to keep the answer below it in view. */
const shownCharacters = 1000;

/** Who asked for this run, and in a comment on the agent's pull request, for what. */
export function requestLine({ askedBy = '', life }: State): string {
  if (askedBy === '') {
    return '';
  }
  const question = life?.question ?? '';
  return question === ''
    ? `Requested by ${code(askedBy)}.`
    : `Requested by ${code(askedBy)}:\n\n${codeBlock(question, shownCharacters)}`;
}

/** How to ask again, where a comment with a command has just started a run; otherwise empty. */
export function howToAskAgain({ life }: State): string {
  const command = commandIn(life?.question ?? '');
  return command === undefined
    ? ''
    : ` To ask for another change, write a comment that begins with ${code(command)}.`;
}

/**
 * Whether a comment with a command reached no job, so that its author has to be told. Other comments
 * expect no answer.
 */
export function isUnanswered({ reason }: SkippedResult, comment: string): boolean {
  return reason === 'no-job-for-pull-request' && commandIn(comment) !== undefined;
}

/** The command that a comment begins with, such as `/docs`. */
function commandIn(comment: string): string | undefined {
  return /^\/[a-z][\w-]{0,30}(?=\s)/i.exec(comment)?.[0];
}
