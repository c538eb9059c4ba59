import { code, link } from '../../text/markdown.ts';
import { counted } from '../../text/plain.ts';
import { type Mark, ordinal, type Round } from './rounds.ts';

/** Where a round comes from, as our comment on the pull request tells it. */
export interface Origin {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  readonly runId: string;
  /** The issue or pull request that the run is about. */
  readonly thread: number | undefined;
  /** What a new run does while the pull request is open. */
  readonly onOpen: 'new' | 'continue' | 'skip';
  /** Whether the pull request is still open. */
  readonly isOpen: boolean;
  /** What people should know of this round, in Markdown; empty for nothing. */
  readonly news: string;
}

/**
 * Our comment on the pull request: a few lines for people, and a hidden one for the next run.
 * @param line the hidden one
 */
export function commentText(mark: Mark, line: string, label: string, origin: Origin): string {
  const { serverUrl, repository, runId, thread, news } = origin;
  const run = runLink({ repository, runId }, serverUrl);
  const asked =
    thread === undefined
      ? ''
      : `, asked for in ${link(`${repository}#${thread}`, `${serverUrl}/${repository}/issues/${thread}`)}`;
  const parts = [
    `The docs agent ${whatItDid(mark)} for run ${run} of ${code(repository)}${asked}. Its job is ${code(mark.jobId)}.`,
    news,
    whatNext(label, origin),
    mark.rounds.length < 2
      ? ''
      : `<details><summary>Rounds</summary>\n\n${roundTable(mark.rounds, serverUrl)}\n\n</details>`,
    line,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function whatItDid({ count, rounds }: Mark): string {
  if (count === 1) {
    return 'opened this pull request';
  }
  return rounds.at(-1)?.changed?.files === 0
    ? `left this pull request unchanged in its ${ordinal(count)} round,`
    : `continued this pull request in its ${ordinal(count)} round,`;
}

function whatNext(label: string, { onOpen, isOpen }: Origin): string {
  if (!isOpen) {
    return '';
  }
  const own = 'Take the label off to make it your own.';
  switch (onOpen) {
    case 'continue':
      return `The next run continues in this pull request as long as it is open and has the label ${code(label)}. ${own}`;
    case 'skip':
      return `No new run starts as long as this pull request is open and has the label ${code(label)}. ${own}`;
    case 'new':
      return `The label ${code(label)} says that it is the agent's. ${own}`;
  }
}

/** A Markdown table of rounds: when, which run, how much. */
export function roundTable(rounds: readonly Round[], serverUrl: string): string {
  const rows = rounds.map(
    (round) => `| ${round.date} | ${runLink(round, serverUrl)} | ${sizeOf(round)} |`,
  );
  return ['| Date | Run | Changed |', '|---|---|---|', ...rows].join('\n');
}

function sizeOf({ changed }: Round): string {
  if (changed === undefined) {
    return 'not known';
  }
  return changed.files === 0
    ? 'nothing'
    : `${counted(changed.files, 'file')}, ${counted(changed.additions, 'line')} added, ${changed.deletions} deleted`;
}

function runLink({ repository, runId }: Pick<Round, 'repository' | 'runId'>, serverUrl: string) {
  return link(runId, `${serverUrl}/${repository}/actions/runs/${runId}`);
}
