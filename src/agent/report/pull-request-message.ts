import { ordinal } from '../open-pull-request/rounds.ts';
import type { Result } from '../result.ts';
import type { State } from '../state.ts';
import type { Message } from './advice.ts';
import { isClosed, type Replaced, replacedOf, whyReplaced } from './pull-request.ts';

/**
 * The message of a job that has a pull request. An earlier run may have opened it; then people have seen
 * most of it before.
 */
export function pullRequest(
  result: Result & { readonly result: 'pull-request' },
  state: State,
): Message {
  const replaced = replacedOf(state);
  const isNew = state.linkBefore === undefined && (state.life?.count ?? 0) < 2;
  return isNew || replaced !== undefined
    ? opened(result, replaced, state)
    : continued(result, state);
}

function opened(
  { job, url }: Result & { readonly result: 'pull-request' },
  replaced: Replaced | undefined,
  state: State,
): Message {
  const what =
    replaced === undefined ? 'a pull request' : `a new pull request ${whyReplaced(replaced)}`;
  const also = replaced?.isClosed === false ? ' The earlier one is still open.' : '';
  return {
    heading: 'Pull request opened',
    sentence: `Job ${job.id} completed and opened ${what}${butClosed(state)}: ${url}`,
    next: isClosed(state) ? '' : `Review the pull request and merge it.${also}`,
  };
}

function continued(
  { job, url }: Result & { readonly result: 'pull-request' },
  state: State,
): Message {
  const { count = 0, outcome } = state.life ?? {};
  const round = count < 2 ? '' : ` in its ${ordinal(count)} round`;
  const where = `its pull request${round}${butClosed(state)}: ${url}`;
  if (outcome?.changed?.files === 0 && outcome.commits?.length === 0) {
    return {
      heading: `Pull request unchanged${round}`,
      sentence: `Job ${job.id} completed and added nothing to ${where}`,
      next: isClosed(state) ? '' : 'Review the pull request and merge it.',
    };
  }
  return {
    heading: `Pull request continued${round}`,
    sentence: `Job ${job.id} completed and continued ${where}`,
    next: isClosed(state)
      ? 'Compare its branch with the base branch, and run the workflow again for what is missing.'
      : 'Review what is new in the pull request, and merge it.',
  };
}

function butClosed(state: State): string {
  return isClosed(state) ? '; it is merged or closed by now' : '';
}
