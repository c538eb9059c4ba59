import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { heading } from '../sandbox/terminal.ts';
import { repositoryName } from '../scripts/repository-name.ts';
import { openStage, type Stage } from './stage.ts';
import { makeEvent, readEvent, type TriedEvent } from './try-event.ts';
import { readTryOptions, type TryOptions, usage } from './try-options.ts';
import { showLine, tellWhatCame } from './try-report.ts';
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

async function openWorkflow(path: string): Promise<WorkflowFacts> {
  const repository = repositoryName();
  const workflow = await readAs(path, (text) => readWorkflow(text, basename(repository)));
  const obstacle = findObstacle(workflow, repository);
  if (obstacle !== undefined) {
    throw new Error(`${path} cannot be tried, ${obstacle}`);
  }
  return workflow;
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

/** The checkout that the workflow lies in, whose files it may need; none for a file on its own. */
function checkoutOf(path: string): { checkout: string } | undefined {
  if (!dirname(path).endsWith(`.github${sep}workflows`)) {
    return undefined;
  }
  const args = ['-C', dirname(path), 'rev-parse', '--show-toplevel'];
  try {
    return { checkout: execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim() };
  } catch {
    return undefined;
  }
}

/** How the workflow ended, in a word or two. */
type Verdict = 'Green' | 'Red' | 'Nothing ran';

async function play(
  options: TryOptions,
  workflow: WorkflowFacts,
  { name, payload, runId }: TriedEvent,
  stage: Stage,
): Promise<Verdict> {
  const { apiKey, projectId } = stage.sandbox;
  const each = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((known) => [known, value]));
  const { exitCode, log } = await stage.run({
    workflow: options.path,
    ...checkoutOf(options.path),
    eventName: name,
    event: payload,
    actor: options.login,
    ...(runId === undefined ? {} : { runId }),
    secrets: each(workflow.keySecrets, apiKey),
    variables: { ...each(workflow.projectVariables, projectId), ...options.variables },
    published: workflow.ours,
    labels: workflow.labels,
    show: showLine,
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
    : `No job ran, because a condition was false here, in ${PRODUCT_REPOSITORY} (--label, --as and --var may change that):\n${conditions.map((each) => `  if: ${each}`).join('\n')}`;
}

async function main(): Promise<void> {
  // npm runs a script in this repository's folder, and says where it was called.
  const options = readTryOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? '.');
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const workflow = await openWorkflow(options.path);
  await using stage = await openStage();
  const event = await chooseEvent(options, workflow, stage);
  const { description } = event;
  console.log(heading(`${description[0]?.toUpperCase()}${description.slice(1)}`));
  console.log(`This checkout plays ${workflow.ours.join(' and ')}, whatever stands after the @.\n`);
  const verdict = await play(options, workflow, event, stage);
  await tellWhatCame(stage, verdict);
  process.exitCode = verdict === 'Green' ? 0 : 1;
}

try {
  await main();
} catch (error) {
  console.error(`Nothing was tried: ${error instanceof Error ? error.message : error}.`);
  process.exitCode = 1;
}
