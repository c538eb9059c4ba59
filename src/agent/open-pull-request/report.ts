import { shownFiles } from '../../github/pull-request.ts';
import type { Environment } from '../../runner/environment.ts';
import { code } from '../../text/markdown.ts';
import { pullRequestLink } from '../report/report.ts';
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
  const parts = [
    roundLine(state, todayMs),
    closedLine(state),
    newCommits(state, environment),
    lostLines(state),
    revertedLine(state, environment),
    earlierRounds(state, environment),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function roundLine({ life, link }: State, todayMs: number): string {
  const count = life?.count ?? 0;
  const openedMs = life?.before?.openedMs;
  if (link === undefined || (count < 2 && life?.before === undefined)) {
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
    ? '⚠️ It was merged or closed while its job worked on it, so commits of this run may be missing on the base branch.'
    : '';
}

/** GitHub's page has all of them. */
const shownCommits = 10;

function newCommits(state: State, environment: Environment): string {
  const { outcome } = state.life ?? {};
  const { commits, changed } = outcome ?? {};
  if (commits === undefined || (commits.length > 0 && !mayShowDetails(state, environment))) {
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

function lostLines({ life }: State): string {
  return (life?.lost ?? [])
    .map(
      ({ sha, pusher }) =>
        `⚠️ The branch has lost commit ${code(sha)}, ${howLost({ sha, pusher: pusher && code(pusher) })}. To have it back, run ${code(commandFor(sha))} on that branch.`,
    )
    .join('\n\n');
}

function revertedLine(state: State, environment: Environment): string {
  const reverted = state.life?.outcome?.reverted ?? [];
  if (reverted.length === 0) {
    return '';
  }
  const shown = mayShowDetails(state, environment) ? reverted.slice(0, shownFiles) : [];
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
