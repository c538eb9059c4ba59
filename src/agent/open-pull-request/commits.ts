import type { MarkerPlace } from '../../github/marker.ts';
import type { GitHubDeps } from '../../github/reading.ts';
import { replacedOf } from '../report/pull-request.ts';
import { mayShowDetails } from '../report/visibility.ts';
import type { State } from '../state.ts';
import { checkForcePushes, type ForcePushCheck, type LostCommit } from './lost-commits.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { type Before, compareWithBefore, type Outcome } from './outcome.ts';
import { branchOf } from './report.ts';
import { checkedBy, type Mark } from './rounds.ts';
import {
  noteReverted,
  type WarningDeps,
  warnOfClosed,
  warnOfLost,
  warnOfUnknown,
} from './warnings.ts';

/**
 * Warns of commits that the branch of a pull request has no more, and names the files that went back.
 *
 * @param latest what the last run has written down, if there was one
 */
export async function checkCommits(
  latest: Mark | undefined,
  github: GitHubDeps,
  warnings: WarningDeps,
  { runner, state }: OpenPullRequestDeps,
): Promise<ForcePushCheck | undefined> {
  const { place } = warnings;
  const { life } = state.current;
  const before = life?.before?.place.threadNumber === place.threadNumber ? life.before : undefined;
  const outcome = before && (await compareWithBefore(before, state.current.pullRequest, github));
  // A pull request that the job has just opened has another branch.
  const isOther = replacedOf(state.current) !== undefined;
  const checked = checkedBy(latest) ?? (isOther ? undefined : life?.checkedForcePush);
  const check = await checkBranch(place, state.current, { before, outcome, checked }, github);
  const lost = [...lostHead(before, outcome, check), ...(check?.lost ?? [])];
  const reverted = outcome?.reverted ?? [];
  if (outcome?.isOpen === false) {
    warnOfClosed(warnings);
  }
  const mayShow = mayShowDetails(state.current, runner.environment);
  warnOfLost(lost, mayShow ? branchOf(state.current) : '', warnings);
  if (before !== undefined || latest !== undefined) {
    warnOfUnknown(outcome, before?.headSha ?? '', check, warnings);
  }
  noteReverted(reverted, mayShow, warnings);
  state.learn({ life: { ...state.current.life, lost, ...(outcome && { outcome }) } });
  return check;
}

interface Known {
  readonly before: Before | undefined;
  readonly outcome: Outcome | undefined;
  readonly checked: string | undefined;
}

/** `undefined` if it is not known which branch that is, or where it ends. */
async function checkBranch(
  { repository }: MarkerPlace,
  { pullRequest }: State,
  { before, outcome, checked }: Known,
  github: GitHubDeps,
): Promise<ForcePushCheck | undefined> {
  const branch = pullRequest?.branch ?? before?.branch ?? '';
  const headSha = (outcome?.headSha || pullRequest?.headSha) ?? '';
  return branch === '' || headSha === ''
    ? undefined
    : await checkForcePushes({ repository, branch, headSha }, checked, github);
}

/** The last commit of before, unless a force-push tells what happened to it. */
function lostHead(
  before: Before | undefined,
  outcome: Outcome | undefined,
  check: ForcePushCheck | undefined,
): readonly LostCommit[] {
  return before === undefined ||
    outcome?.keepsHistory !== false ||
    check?.gone.has(before.headSha) === true
    ? []
    : [{ sha: before.headSha, pusher: '' }];
}
