import { isSameName } from '../../github/names.ts';
import type { Job } from '../../platform/job.ts';
import { duration } from '../../text/duration.ts';
import { code, codeBlock, factTable, link } from '../../text/markdown.ts';
import { counted } from '../../text/plain.ts';
import type { Finding } from '../dry-run/finding.ts';
import { describeRemoved } from '../prompt/prepare.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { isExplained } from '../result.ts';
import type { End, State } from '../state.ts';
import { icons, messageOf } from './messages.ts';
import { fileList, pullRequestLine, replacedLine } from './pull-request.ts';
import { howToAskAgain, requestLine } from './request.ts';
import { mayShowDetails } from './visibility.ts';

/** The run that a report is about. */
export interface ReportRun {
  /** `owner/name` of the workflow's repository. Everyone who can read it sees the report. */
  readonly repository: string;
  /** Run and attempt, such as `1001.2`. */
  readonly run: string;
  readonly attempt: number;
  /** Link to the run's page; empty for none. */
  readonly runUrl: string;
}

/** The comment while the agent works. */
export function workingReport(state: State, run: ReportRun): string {
  return markdown(
    {
      heading: '⏳ The agent is working',
      message: '',
      next: 'This comment is kept up to date. There is nothing to do until the agent has finished.',
    },
    state,
    run,
  );
}

/** The summary and the final comment. */
export function endReport({ result, message }: End, state: State, run: ReportRun): string {
  const { heading, next } = messageOf(result, state);
  return markdown(
    {
      heading: `${icons[result.result]} ${heading}`,
      // A dry run lists it among its findings.
      message: isExplained(result) && state.findings === undefined ? message : '',
      next,
    },
    state,
    run,
  );
}

interface Headlines {
  readonly heading: string;
  /** Plain text that can contain untrusted text; empty if the heading is enough. */
  readonly message: string;
  /** Markdown; empty if there is nothing to do. */
  readonly next: string;
}

/** Decides what a report contains, and in which order. */
function markdown({ heading, message, next }: Headlines, state: State, run: ReportRun): string {
  const { link: found } = state;
  const pullRequest = mayShowDetails(state, run) ? state.pullRequest : undefined;
  const details = detailsOf(state, run);
  const parts = [
    `### ${heading}`,
    message === '' ? '' : code(message, 2000),
    found === undefined ? '' : pullRequestLine(found, pullRequest),
    pullRequest === undefined ? '' : fileList(pullRequest),
    replacedLine(state),
    state.life?.text ?? '',
    dryRunOf(state),
    requestLine(state),
    next === '' ? '' : `**Next:** ${next}${howToAskAgain(state)}`,
    details === '' ? '' : `<details><summary>Details</summary>\n\n${details}\n\n</details>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const findingIcons: Readonly<Record<Finding['level'], string>> = {
  good: '✅',
  note: '⚠️',
  unknown: '❔',
  bad: '❌',
};

/** A finding as one line of the log. */
export function findingLine({ name, level, text }: Finding): string {
  return `${findingIcons[level]} ${name}: ${text}`;
}

/** A summary holds 1 MiB; a longer prompt is not read there. */
const longestPrompt = 100_000;

/** What a dry run found. Here the prompt is shown, since to see it is what a dry run is for. */
function dryRunOf({ findings, promptText }: State): string {
  if (findings === undefined) {
    return '';
  }
  const rows = findings.map(
    ({ name, level, text }) => `| ${findingIcons[level]} | ${name} | ${code(text, 2000)} |`,
  );
  const prompt =
    promptText === undefined
      ? ''
      : `\n\n<details><summary>The prompt as it would be sent</summary>\n\n${codeBlock(promptText, longestPrompt)}\n\n</details>`;
  return `${['| | Check | Finding |', '|---|---|---|', ...rows].join('\n')}${prompt}`;
}

function detailsOf(state: State, run: ReportRun): string {
  const { job, prompt, inputs, end } = state;
  const rows = [
    ...(job === undefined ? [] : jobRows(job, state, run)),
    ['Waited', end?.tookMs === undefined ? '' : duration(end.tookMs)],
    ['Prompt', prompt === undefined ? '' : promptCell(prompt, state.source !== 'resume')],
    ['Run', run.runUrl && link(run.run, attemptUrl(run))],
    ['Dashboard', inputs?.api.dashboardUrl ? link('Mintlify', inputs.api.dashboardUrl) : ''],
  ] as const;
  return factTable(rows.filter(([, cell]) => cell !== ''));
}

function jobRows({ id, status, model, repository, ref }: Job, { source }: State, run: ReportRun) {
  const branch =
    ref !== '' && isSameName(repository, run.repository) ? `, branch ${code(ref)}` : '';
  return [
    [
      'Job',
      `${code(id)}, ${status}${source === 'resume' ? ', started by an earlier attempt' : ''}`,
    ],
    ['Model', model && code(model)],
    ['Repository', repository && `${code(repository)}${branch}`],
  ] as const;
}

/** Describes the prompt without showing it, because it can contain confidential text. */
function promptCell({ origin, characters, sha256, removed }: Prompt, isSent: boolean): string {
  const source = origin.path === undefined ? `input ${origin.input}` : `file ${code(origin.path)}`;
  const removals = describeRemoved(removed);
  const note = removals === '' ? '' : `; removed from event text: ${removals}`;
  return `${isSent ? '' : 'not sent: '}${source}, ${counted(characters, 'character')}, SHA-256 ${code(sha256.slice(0, 12))}${note}`;
}

/** A run's page shows its latest attempt, but the report is about this one. */
function attemptUrl({ attempt, runUrl }: ReportRun): string {
  return attempt === 1 ? runUrl : `${runUrl}/attempts/${attempt}`;
}
