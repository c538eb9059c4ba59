import { isSameName } from '../../github/names.ts';
import type { Job } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import { duration } from '../../text/duration.ts';
import { code, codeBlock, factTable, link, prose } from '../../text/markdown.ts';
import { counted } from '../../text/plain.ts';
import { withoutSecret } from '../../text/secret.ts';
import type { Finding } from '../finding.ts';
import { describeHidden } from '../prompt/hidden.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { isExplained } from '../result.ts';
import type { End, State } from '../state.ts';
import { icons, type Message, messageOf } from './messages.ts';
import { fileList, mayShowDetails, pullRequestLine, replacedLine } from './pull-request.ts';
import { roundLines } from './round.ts';

/** The run that a report is about. Everyone who can read its repository sees the report. */
export type ReportRun = Pick<Environment, 'repository' | 'run' | 'attempt' | 'runUrl'>;

/** The comment while the agent works. */
export function workingReport(state: State, run: ReportRun): string {
  const next =
    'This comment is kept up to date. There is nothing to do until the agent has finished.';
  return markdown({ heading: '⏳ The agent is working', next }, state, run);
}

/** The summary and the final comment. */
export function endReport({ result, message }: End, state: State, run: ReportRun): string {
  const written = messageOf(result, state);
  // A dry run has most such sentences among its findings.
  const isFinding = state.findings?.some(({ text }) => text === message) === true;
  const heading = `${icons[result.result]} ${written.heading}`;
  const lead = isExplained(result) && !isFinding ? prose(message) : (written.lead ?? '');
  return markdown({ ...written, heading, lead }, state, run);
}

/** Decides what a report contains, and in which order. */
function markdown(
  { heading, lead = '', next }: Omit<Message, 'sentence'>,
  state: State,
  run: ReportRun,
): string {
  const { link: found } = state;
  const mayShow = mayShowDetails(state, run);
  const pullRequest = mayShow ? state.pullRequest : undefined;
  const details = detailsOf(state, run);
  const parts = [
    `### ${heading}`,
    lead,
    found === undefined ? '' : pullRequestLine(found, pullRequest),
    pullRequest === undefined ? '' : fileList(pullRequest),
    replacedLine(state),
    roundLines(state),
    findingTable(state),
    requestLine(state),
    next === '' ? '' : `**Next:** ${next}${howToAskAgain(state)}`,
    details === '' ? '' : `<details><summary>Details</summary>\n\n${details}\n\n</details>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Longer than a reviewer's remark, short enough to keep the answer below it in view. */
const shownCharacters = 1000;

/** Who asked for this run, and in a comment on the agent's pull request, for what. */
function requestLine(state: State): string {
  const { access } = state;
  const askedBy = access?.kind === 'granted' ? access.askedBy : '';
  if (askedBy === '') {
    return '';
  }
  const question = questionOf(state);
  return question === ''
    ? `Requested by ${code(askedBy)}.`
    : `Requested by ${code(askedBy)}:\n\n${codeBlock(question, shownCharacters)}`;
}

/** The comment that the job of its pull request got to work on; empty for none. */
function questionOf({ access, inputs, link: found }: State): string {
  return access?.kind === 'granted' && inputs?.job.kind === 'of-pull-request' && found !== undefined
    ? access.event.commentBody
    : '';
}

/** How to ask again, where a comment with a command has just started a run; otherwise empty. */
function howToAskAgain(state: State): string {
  const command = commandIn(questionOf(state));
  return command === undefined
    ? ''
    : ` To ask for another change, write a comment that begins with ${code(command)} and a space.`;
}

/** The command that a comment begins with, such as `/docs`. */
export function commandIn(comment: string): string | undefined {
  return /^\/[a-z][\w-]{0,30}(?=\s)/i.exec(comment)?.[0];
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
const maxPromptLength = 100_000;

/** What a dry run found. Here the prompt is shown, since to see it is what a dry run is for. */
function findingTable({ findings, prompt, inputs }: State): string {
  if (findings === undefined) {
    return '';
  }
  const rows = findings.map(
    ({ name, level, text }) => `| ${findingIcons[level]} | ${name} | ${prose(text)} |`,
  );
  const text = prompt && withoutSecret(prompt.text, inputs?.api.apiKey ?? '');
  const shown =
    text === undefined
      ? ''
      : `\n\n<details><summary>The prompt as it would be sent</summary>\n\n${codeBlock(text, maxPromptLength)}\n\n</details>`;
  return `${['| | Check | Finding |', '|---|---|---|', ...rows].join('\n')}${shown}`;
}

function detailsOf(state: State, run: ReportRun): string {
  const { job, prompt, inputs, end } = state;
  const rows = [
    ...(job === undefined ? [] : jobRows(job, state, run)),
    ['Waited', end?.tookMs === undefined ? '' : duration(end.tookMs)],
    ['Prompt', prompt === undefined ? '' : promptCell(prompt, state.source !== 'resumed')],
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
      `${code(id)}, ${status}${source === 'resumed' ? ', started by an earlier attempt' : ''}`,
    ],
    ['Model', model && code(model)],
    ['Repository', repository && `${code(repository)}${branch}`],
  ] as const;
}

/** Describes the prompt without showing it, because it can contain confidential text. */
function promptCell({ origin, characters, sha256, removed }: Prompt, isSent: boolean): string {
  const source = origin.path === undefined ? `input ${origin.input}` : `file ${code(origin.path)}`;
  const removals = describeHidden(removed);
  const note = removals === '' ? '' : `; removed from event text: ${removals}`;
  return `${isSent ? '' : 'not sent: '}${source}, ${counted(characters, 'character')}, SHA-256 ${code(sha256.slice(0, 12))}${note}`;
}

/** A run's page shows its latest attempt, but the report is about this one. */
function attemptUrl({ attempt, runUrl }: ReportRun): string {
  return attempt === 1 ? runUrl : `${runUrl}/attempts/${attempt}`;
}
