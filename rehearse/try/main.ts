import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { heading } from '../../sandbox/terminal.ts';
import { waitForStop } from '../../sandbox/wait-for-stop.ts';
import { repositoryName } from '../../scripts/actions.ts';
import { checkoutOf } from '../stage/repository.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { createEvent, readEvent, type TriedEvent } from './event.ts';
import { lint } from './lint.ts';
import { readLocalFiles } from './local-files.ts';
import { notesOn } from './notes.ts';
import { whyNothingRan } from './nothing-ran.ts';
import { readTryOptions, type TryOptions, usage } from './options.ts';
import { checkOwnSteps } from './own-steps.ts';
import {
  countComments,
  noteOnEvent,
  printResults,
  sentenceOf,
  showLine,
  waitForAgent,
} from './report.ts';
import { findObstacle, readWorkflow, type Workflow } from './workflow.ts';

/** Reads a file. The message of an error names the file. */
async function readAs<T>(path: string, read: (text: string) => T): Promise<T> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new Error(`${path} ${found === undefined ? 'does not exist' : 'is not a file'}`);
  }
  return await withPath(path, () => read(readFileSync(path, 'utf8')));
}

async function withPath<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${path} cannot be tried: ${error instanceof Error ? error.message : error}`);
  }
}

/** A workflow that can be tried. */
interface Tried {
  readonly workflow: Workflow;
  /** The checkout that it belongs to, whose files it may need. */
  readonly checkout: string | undefined;
  /** The linter's warnings. */
  readonly warnings: readonly string[];
}

async function openWorkflow(path: string): Promise<Tried> {
  const { errors, warnings } = await readAs(path, lint);
  if (errors.length > 0) {
    throw new Error([`${path} has errors, according to actionlint:`, ...errors].join('\n  '));
  }
  const repository = repositoryName();
  const mistakes = await readAs(path, (text) => checkOwnSteps(text, basename(repository)));
  if (mistakes.length > 0) {
    throw new Error([`${path} has errors:`, ...mistakes].join('\n  '));
  }
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
  return { workflow, checkout, warnings };
}

async function chooseEvent(
  options: TryOptions,
  workflow: Workflow,
  stage: Stage,
): Promise<TriedEvent> {
  const { path, eventFile, login } = options;
  return eventFile === undefined
    ? await withPath(path, () => createEvent(workflow, options, stage))
    : await readAs(eventFile, (text) => readEvent(text, workflow, login));
}

/** How a run of the workflow ended. */
type Verdict = 'Green' | 'Red' | 'Nothing ran';

/** Runs one attempt. */
async function runAttempt(
  attempt: number,
  options: TryOptions,
  { workflow, checkout }: Tried,
  { name, payload, runId, isFromFork = false }: TriedEvent,
  stage: Stage,
  signal: AbortSignal,
): Promise<Verdict> {
  const { apiKey, projectId } = stage.sandbox;
  const each = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((key) => [key, value]));
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
    ownReferences: workflow.ownReferences,
    thirdParty: workflow.thirdParty.map(({ uses }) => uses),
    checkouts: workflow.checkouts,
    labels: workflow.labels,
    show: showLine,
    signal,
  });
  if (!log.includes('⭐ Run ')) {
    console.log(await whyNothingRan(workflow, options.path));
    return 'Nothing ran';
  }
  const note = options.eventFile === undefined ? noteOnEvent(log) : undefined;
  if (note !== undefined) {
    console.log(note);
  }
  return exitCode === 0 ? 'Green' : 'Red';
}

/** Runs all attempts, one after the other. */
async function runAttempts(
  options: TryOptions,
  tried: Tried,
  event: TriedEvent,
  stage: Stage,
  signal: AbortSignal,
): Promise<Verdict> {
  let verdict: Verdict = 'Nothing ran';
  for (let attempt = 1; attempt <= options.attempt; attempt += 1) {
    if (attempt > 1) {
      console.log(heading(`${verdict}. ${options.login} re-runs it: attempt ${attempt}`));
    }
    verdict = await runAttempt(attempt, options, tried, event, stage, signal);
  }
  await waitForAgent(stage, signal);
  return verdict;
}

/** Whether the workflow has been started. */
let hasStarted = false;

async function main(signal: AbortSignal): Promise<void> {
  // npm runs a script in the folder of package.json, and sets INIT_CWD to the folder of the caller.
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
  console.log(`${notesOn(tried.workflow, options, event, tried.warnings).join('\n')}\n`);
  const before = { comments: await countComments(stage, pullRequest), pullRequest };
  hasStarted = true;
  const verdict = await runAttempts(options, tried, event, stage, signal);
  await printResults(stage, verdict, before);
  process.exitCode = verdict === 'Green' ? 0 : 1;
}

const stop = new AbortController();
void waitForStop('try').then(() => stop.abort(new Error('it was interrupted')));
try {
  await main(stop.signal);
} catch (error) {
  console.error(
    `${hasStarted ? 'The run did not finish' : 'Nothing was run'}: ${sentenceOf(error)}`,
  );
  process.exitCode = 1;
}
