import { shownFiles } from '../../github/pull-request.ts';
import type { Environment } from '../../runner/environment.ts';
import { code } from '../../text/markdown.ts';
import { pullRequestLink, replacedLine, replacedOf } from '../report/pull-request.ts';
import { mayShowDetails } from '../report/visibility.ts';
import type { State } from '../state.ts';
import { roundTable } from './comment-text.ts';
import { commandFor } from './lost-commits.ts';
import { ordinal } from './rounds.ts';
import { howLost } from './warnings.ts';

const dayMs = 86_400_000;

/**
 * What the summary and the comment say about a pull request that has had earlier rounds, in Markdown;
 * empty for a new one.
 */
export function roundsReport(state: State, environment: Environment, todayMs: number): string {
  const mayShow = mayShowDetails(state, environment);
  const parts = [
    roundLine(state, todayMs),
    closedLine(state),
    newCommits(state, mayShow),
    lostLines(state, mayShow ? branchOf(state) : ''),
    revertedLine(state, mayShow),
    earlierRounds(state, environment),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * What our comment on the pull request says of this round, in Markdown; empty for nothing. Its
 * readers can read the whole pull request.
 */
export function roundNews(state: State): string {
  const parts = [
    replacedLine(state),
    closedLine(state),
    lostLines(state, branchOf(state)),
    revertedLine(state, true),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The branch of the pull request; empty if it is not known. */
export function branchOf({ pullRequest, life }: State): string {
  return pullRequest?.branch ?? life?.before?.branch ?? '';
}

function roundLine(state: State, todayMs: number): string {
  const { life, link } = state;
  const before = replacedOf(state) === undefined ? life?.before : undefined;
  const count = life?.count ?? 0;
  const openedMs = before?.openedMs;
  if (link === undefined || (count < 2 && before === undefined)) {
    return '';
  }
  const round =
    count < 2 ? 'Another' : ordinal(count).replace(/^./, (first) => first.toUpperCase());
  const days = openedMs === undefined ? undefined : Math.floor((todayMs - openedMs) / dayMs);
  return `${round} round of ${pullRequestLink(link)}${days === undefined ? '' : `, ${openFor(days)}`}.`;
}

function openFor(days: number): string {
  if (days < 1) {
    return 'opened less than a day ago';
  }
  return days === 1 ? 'open for 1 day' : `open for ${days} days`;
}

function closedLine({ life }: State): string {
  return life?.outcome?.isOpen === false
    ? '⚠️ The pull request was merged or closed while its job worked on it, so commits of this run may be missing on the base branch.'
    : '';
}

/** GitHub's page has all of them. */
const shownCommits = 10;

function newCommits({ life }: State, mayShow: boolean): string {
  const { commits, changed } = life?.outcome ?? {};
  if (commits === undefined || (commits.length > 0 && !mayShow)) {
    return '';
  }
  if (commits.length === 0) {
    return changed?.files === 0 ? 'This round has no new commits.' : '';
  }
  const shown = commits.toReversed().slice(0, shownCommits);
  const rest = commits.length - shown.length;
  const lines = shown.map(({ sha, subject }) => `- ${code(sha.slice(0, 7))} ${code(subject)}`);
  return `New commits in this round:\n\n${[...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')}`;
}

function lostLines({ life }: State, branch: string): string {
  const where = branch === '' ? 'that branch' : `the branch ${code(branch)}`;
  return (life?.lost ?? [])
    .map(
      ({ sha, pusher }) =>
        `⚠️ The branch has lost commit ${code(sha)}, ${howLost({ sha, pusher: pusher && code(pusher) })}. To have it back, run ${code(commandFor(sha))} on ${where}.`,
    )
    .join('\n\n');
}

function revertedLine({ life }: State, mayShow: boolean): string {
  const reverted = life?.outcome?.reverted ?? [];
  if (reverted.length === 0) {
    return '';
  }
  const shown = mayShow ? reverted.slice(0, shownFiles) : [];
  const rest = reverted.length - shown.length;
  const lines = shown.map((name) => `\n- ${code(name)}`).join('');
  const more = rest > 0 && shown.length > 0 ? `\n- and ${rest} more` : '';
  const what = reverted.length === 1 ? 'One file' : `${reverted.length} files`;
  return `${what} went back to the state on the base branch in this run${lines === '' ? '.' : `:\n${lines}${more}`}`;
}

function earlierRounds({ life }: State, { serverUrl }: Environment): string {
  const earlier = life?.earlier ?? [];
  return earlier.length === 0
    ? ''
    : `<details><summary>Earlier rounds</summary>\n\n${roundTable(earlier, serverUrl)}\n\n</details>`;
}
