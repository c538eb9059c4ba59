import { isSameName } from '../../github/names.ts';
import type { Job } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import { duration, fromTo } from '../../text/duration.ts';
import { code, codeBlock, factTable, link, ownLink, prose } from '../../text/markdown.ts';
import { counted } from '../../text/plain.ts';
import { withoutSecret } from '../../text/secret.ts';
import { hashesOf, type JobRecord } from '../earlier/record.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { endings, type Result } from '../result.ts';
import { type Ended, handedOverIn, jobOf, linkOf, type Reached, type Waiting } from '../stage.ts';
import { continuationLines } from './continuation.ts';
import { type Message, messageOf } from './messages.ts';
import { pullRequestPart } from './pull-request.ts';

/** The run that a report is about. Everyone who can read its repository sees the report. */
export type ReportRun = Pick<Environment, 'repository' | 'run' | 'attempt' | 'runUrl'>;

/**
 * The comment while the agent works.
 * @param beganAtMs when this step began, milliseconds since 1970
 */
export function workingReport(stage: Waiting, run: ReportRun, beganAtMs: number): string {
  const { waitMs } = stage.inputs;
  const [since, until] = fromTo(beganAtMs, beganAtMs + waitMs);
  const who = run.attempt === 1 ? 'This run' : 'This attempt';
  const next =
    waitMs === 0
      ? `${who} does not wait for the agent to finish.`
      : `${who} has waited since ${since}, and waits until ${until} at most. This comment is kept up to date. There is nothing to do until the agent has finished.`;
  return markdown({ heading: '⏳ Waiting for the agent', lead: '', next }, stage, run);
}

/** The summary and the final comment. */
export function endReport(ended: Ended, run: ReportRun, message = messageOf(ended)): string {
  const heading = `${endings[ended.result.result].icon} ${message.heading}`;
  return markdown({ ...message, heading }, ended.last, run, ended);
}

/** Decides what a report contains, and in which order. */
function markdown(
  { heading, lead, next }: Omit<Message, 'sentence'>,
  last: Reached,
  run: ReportRun,
  ended?: Ended,
): string {
  const found = linkOf(last);
  const handedOver = handedOverIn(last);
  const details = detailsOf(last, ended?.tookMs, run);
  const parts = [
    `### ${heading}`,
    prose(lead),
    found === undefined ? '' : pullRequestPart(found, handedOver?.pullRequest, run),
    handedOver === undefined ? '' : continuationLines(handedOver),
    last.inputs?.isDryRun === true ? dryRunPart(last, ended?.result) : '',
    requestLine(last),
    next === '' ? '' : `**Next:** ${linked(next, last)}${howToAskAgain(last)}`,
    details === '' ? '' : `<details><summary>Details</summary>\n\n${details}\n\n</details>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What to do next, with a link to the dashboard. */
function linked(next: string, { inputs }: Reached): string {
  const url = inputs?.api.dashboardUrl ?? '';
  const dashboard = url === '' ? 'the dashboard' : ownLink('the dashboard', url);
  return prose(next).replace('the dashboard', dashboard);
}

/** Longer than a reviewer's remark, short enough to keep the answer below it in view. */
const shownCharacters = 1000;

/** Who asked for this run, and the comment in which they asked, if that is on the agent's pull request. */
function requestLine(stage: Reached): string {
  const { access } = stage;
  const askedBy = access?.kind === 'granted' ? access.askedBy : '';
  if (askedBy === '') {
    return '';
  }
  const question = questionOf(stage);
  return question === ''
    ? `Requested by ${code(askedBy)}.`
    : `Requested by ${code(askedBy)}:\n\n${codeBlock(question, shownCharacters)}`;
}

/** The comment that asked the job of its pull request for a change; empty if no comment did. */
function questionOf(stage: Reached): string {
  const { access, inputs } = stage;
  return access?.kind === 'granted' &&
    inputs?.job.kind === 'of-pull-request' &&
    stage.prompt !== undefined &&
    linkOf(stage) !== undefined
    ? access.event.commentBody
    : '';
}

/** How to ask for more changes, if a comment with a command triggered the run; otherwise empty. */
function howToAskAgain(stage: Reached): string {
  const command = commandIn(questionOf(stage));
  return command === undefined
    ? ''
    : ` To ask for another change, write a comment that begins with ${code(command)} and a space.`;
}

/**
 * The command that a comment begins with, such as `/docs`, after empty lines and up to three blanks. Four blanks
 * make a block of code, in which nothing is a command.
 */
export function commandIn(comment: string): string | undefined {
  return /^(?:[ \t]*\r?\n)* {0,3}(\/[a-z][\w-]{0,30})(?=\s)/i.exec(comment)?.[1];
}

/** A summary holds 1 MiB, and nobody reads a longer prompt there. */
const maxPromptLength = 100_000;

/** What a dry run found out, and the prompt, which is what people make a dry run for. */
function dryRunPart(stage: Reached, result: Result | undefined): string {
  const facts = result?.result === 'ready' ? result.facts : [];
  const text = promptText(stage);
  const prompt =
    text === undefined
      ? ''
      : `<details><summary>The prompt as it would be sent</summary>\n\n${codeBlock(text, maxPromptLength)}\n\n</details>`;
  const table = factTable(facts.map(([name, sentences]) => [name, prose(sentences)]));
  return [table, prompt].filter((part) => part !== '').join('\n\n');
}

/**
 * The prompt as a dry run shows it; `undefined` if it was not read yet. The key is taken out, because a long
 * line of the log is cut, and the runner does not mask half a key.
 */
export function promptText({ prompt, inputs }: Reached): string | undefined {
  return prompt && withoutSecret(prompt.text, inputs?.api.apiKey ?? '');
}

function detailsOf(stage: Reached, tookMs: number | undefined, run: ReportRun): string {
  const { prompt, inputs } = stage;
  const job = jobOf(stage);
  const earlier =
    stage.at === 'waiting' && stage.plan.kind === 'resume' ? stage.plan.record : undefined;
  const rows = [
    ...(job === undefined ? [] : jobRows(job, earlier, run)),
    ['Waited', tookMs === undefined ? '' : duration(tookMs)],
    ['Prompt', prompt === undefined ? '' : promptCell(prompt, earlier)],
    ['Run', run.runUrl && link(run.run, attemptUrl(run))],
    ['Dashboard', inputs?.api.dashboardUrl ? link('Mintlify', inputs.api.dashboardUrl) : ''],
  ] as const;
  return factTable(rows.filter(([, cell]) => cell !== ''));
}

function jobRows(
  { id, status, model, repository, ref }: Job,
  earlier: JobRecord | undefined,
  run: ReportRun,
) {
  const sent = earlier?.followUp === undefined ? 'started by' : 'got its follow-up from';
  const branch =
    ref !== '' && isSameName(repository, run.repository) ? `, branch ${code(ref)}` : '';
  return [
    ['Job', `${code(id)}, ${status}${earlier === undefined ? '' : `, ${sent} an earlier attempt`}`],
    ['Model', model && code(model)],
    ['Repository', repository && `${code(repository)}${branch}`],
  ] as const;
}

/** Describes the prompt without showing it, because it can contain confidential text. */
function promptCell(prompt: Prompt, earlier: JobRecord | undefined): string {
  const { text, source, sha256, leftOut, emptyFields } = prompt;
  const origin = source.input === 'prompt' ? 'input prompt' : `file ${code(source.path)}`;
  const hidden =
    leftOut === 0 ? '' : `; left out of the event text: ${counted(leftOut, 'hidden part')}`;
  const fields = emptyFields.map((field) => code(field)).join(', ');
  const empty = fields === '' ? '' : `; empty in this event: ${fields}`;
  const isSame = earlier?.promptHash === hashesOf(prompt).promptHash;
  const sent = isSame ? 'sent by an earlier attempt: ' : 'not sent: ';
  return `${earlier === undefined ? '' : sent}${origin}, ${counted(text.length, 'character')}, SHA-256 ${code(sha256.slice(0, 12))}${hidden}${empty}`;
}

/** A run's page shows its latest attempt, but the report is about this one. */
function attemptUrl({ attempt, runUrl }: ReportRun): string {
  return attempt === 1 ? runUrl : `${runUrl}/attempts/${attempt}`;
}
