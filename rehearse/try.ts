import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { endRequest } from '../sandbox/end-request.ts';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { heading } from '../sandbox/terminal.ts';
import { repositoryName } from '../scripts/repository-name.ts';
import { checkoutOf } from './checkout.ts';
import { lint } from './lint.ts';
import { readLocalFiles } from './local-files.ts';
import { openStage, type Stage } from './stage.ts';
import { makeEvent, readEvent, type TriedEvent } from './try-event.ts';
import { notesOn } from './try-notes.ts';
import { readTryOptions, type TryOptions, usage } from './try-options.ts';
import { countComments, showLine, tellWhatCame, waitForAgent } from './try-report.ts';
import { findObstacle, readWorkflow, type WorkflowFacts } from './workflow-text.ts';

/** Reads a file, and says which one when it, or what is in it, cannot be used. */
async function readAs<T>(path: string, read: (text: string) => T): Promise<T> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new Error(`${path} ${found === undefined ? 'does not exist' : 'is no file'}`);
  }
  return await about(path, () => read(readFileSync(path, 'utf8')));
}

async function about<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${path} cannot be tried: ${error instanceof Error ? error.message : error}`);
  }
}

/** A workflow that can be tried. */
interface Tried {
  readonly workflow: WorkflowFacts;
  /** The checkout that it lies in, whose files it may need. */
  readonly checkout: string | undefined;
  /** What its author may want to know. */
  readonly remarks: readonly string[];
}

async function openWorkflow(path: string): Promise<Tried> {
  const { faults, remarks } = await readAs(path, lint);
  if (faults.length > 0) {
    throw new Error([`${path} is broken, says actionlint:`, ...faults].join('\n  '));
  }
  const repository = repositoryName();
  const checkout = checkoutOf(path);
  const workflow = await readAs(path, (text) =>
    readWorkflow(
      text,
      basename(repository),
      checkout === undefined ? [] : readLocalFiles(checkout, text),
    ),
  );
  const obstacle = findObstacle(workflow, repository);
  if (obstacle !== undefined) {
    throw new Error(`${path} cannot be tried, ${obstacle}`);
  }
  return { workflow, checkout, remarks };
}

async function chooseEvent(
  options: TryOptions,
  workflow: WorkflowFacts,
  stage: Stage,
): Promise<TriedEvent> {
  const { path, eventFile, login } = options;
  return eventFile === undefined
    ? await about(path, () => makeEvent(workflow, options, stage))
    : await readAs(eventFile, (text) => readEvent(text, workflow, login));
}

/** How the workflow ended, in a word or two. */
type Verdict = 'Green' | 'Red' | 'Nothing ran';

/** Plays one attempt of the run. */
async function play(
  attempt: number,
  options: TryOptions,
  { workflow, checkout }: Tried,
  { name, payload, runId, isFromFork = false }: TriedEvent,
  stage: Stage,
  signal: AbortSignal,
): Promise<Verdict> {
  const { apiKey, projectId } = stage.sandbox;
  const each = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((known) => [known, value]));
  const { exitCode, log } = await stage.run({
    workflow: options.path,
    ...(checkout === undefined ? {} : { checkout }),
    eventName: name,
    event: payload,
    actor: options.login,
    runId: runId ?? 1,
    attempt,
    isFromFork,
    secrets: { ...each(workflow.keySecrets, apiKey), ...options.secrets },
    variables: { ...each(workflow.projectVariables, projectId), ...options.variables },
    published: workflow.ours,
    foreign: workflow.foreign.map(({ uses }) => uses),
    checkouts: workflow.checkouts,
    labels: workflow.labels,
    show: showLine,
    signal,
  });
  if (!log.includes('⭐ Run ')) {
    console.log(whyNothingRan(workflow));
    return 'Nothing ran';
  }
  return exitCode === 0 ? 'Green' : 'Red';
}

function whyNothingRan({ conditions }: WorkflowFacts): string {
  return conditions.length === 0
    ? 'No job ran.'
    : `No job ran, because a condition was false here, in ${PRODUCT_REPOSITORY} (--label, --comment, --as and --var may change that):\n${conditions.map((each) => `  if: ${each}`).join('\n')}`;
}

/** Plays the run, and then each of its re-runs. */
async function playAll(
  options: TryOptions,
  tried: Tried,
  event: TriedEvent,
  stage: Stage,
  signal: AbortSignal,
): Promise<Verdict> {
  let verdict: Verdict = 'Nothing ran';
  for (let attempt = 1; attempt <= options.attempt; attempt += 1) {
    if (attempt > 1) {
      console.log(heading(`${verdict}. ${options.login} runs it again: attempt ${attempt}`));
    }
    verdict = await play(attempt, options, tried, event, stage, signal);
  }
  await waitForAgent(stage, signal);
  return verdict;
}

/** Whether a workflow has been started. */
let hasBegun = false;

async function main(signal: AbortSignal): Promise<void> {
  // npm runs a script in this repository's folder, and says where it was called.
  const options = readTryOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? '.');
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const tried = await openWorkflow(options.path);
  await using stage = await openStage();
  const event = await chooseEvent(options, tried.workflow, stage);
  const { description, pullRequest } = event;
  console.log(heading(`${description[0]?.toUpperCase()}${description.slice(1)}`));
  console.log(`${notesOn(tried.workflow, options, event, tried.remarks).join('\n')}\n`);
  const before = { comments: await countComments(stage, pullRequest), pullRequest };
  hasBegun = true;
  const verdict = await playAll(options, tried, event, stage, signal);
  await tellWhatCame(stage, verdict, before);
  process.exitCode = verdict === 'Green' ? 0 : 1;
}

const ending = new AbortController();
void endRequest('try').then(() => ending.abort(new Error('somebody ended it')));
try {
  await main(ending.signal);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = message.includes('\n') ? message : `${message}.`;
  console.error(`${hasBegun ? 'The try was not finished' : 'Nothing was tried'}: ${sentence}`);
  process.exitCode = 1;
}
