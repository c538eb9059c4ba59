import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sentenceOf } from '../../sandbox/command-line.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { LONGER_THAN_POLLS } from '../../sandbox/sandbox.ts';
import { heading } from '../../sandbox/terminal.ts';
import { waitForStop } from '../../sandbox/wait-for-stop.ts';
import { inRepository, repositoryName } from '../../scripts/actions.ts';
import { lint } from '../../scripts/lint.ts';
import { concludeRun } from '../stage/history.ts';
import { checkoutOf } from '../stage/repository.ts';
import { accessOf, openStage, type Stage } from '../stage/stage.ts';
import { type Change, openChange, readChange } from './change.ts';
import { createEvent, readEvent, type TriedEvent } from './event.ts';
import { notesOn } from './notes.ts';
import { type RunOptions, readTryOptions, type TryOptions, usage } from './options.ts';
import { describeResults, noteOnEvent, readThreads, showLine, waitForAgent } from './report.ts';
import { explainSkipped } from './skipped.ts';
import { findObstacle, readLocalFiles, readWorkflow, type Workflow } from './workflow.ts';

/** Reads a file. The message of an error names the file. */
async function readAs<T>(path: string, read: (text: string) => T | Promise<T>): Promise<T> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const example = join('examples', `${basename(path, '.yml')}.yml`);
    const isExample = existsSync(inRepository(example));
    throw new Error(`${path} does not exist${isExample ? `: the example is ${example}` : ''}`);
  }
  if (!found.isFile()) {
    throw new Error(`${path} is not a file`);
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
  /** What may go wrong, as far as the linter or we can tell. */
  readonly warnings: readonly string[];
}

async function openWorkflow({ path, repository: own }: TryOptions): Promise<Tried> {
  const { errors, warnings } = await readAs(path, lint);
  if (errors.length > 0) {
    throw new Error([`${path} has errors:`, ...errors].join('\n  '));
  }
  const checkout = checkoutOf(path);
  const workflow = await readAs(path, (text) =>
    readWorkflow(
      text,
      basename(repositoryName()),
      checkout === undefined ? [] : readLocalFiles(checkout, text),
      own,
    ),
  );
  const obstacle = findObstacle(workflow);
  if (obstacle !== undefined) {
    throw new Error(`${path} cannot be tried, ${obstacle}`);
  }
  await withPath(path, () =>
    accessOf({ workflow: path, ...(checkout === undefined ? {} : { checkout }) }),
  );
  return { workflow, checkout, warnings: [...workflow.shortJobs, ...warnings] };
}

async function chooseEvent(
  options: RunOptions,
  round: number,
  workflow: Workflow,
  change: Change | undefined,
  stage: Stage,
): Promise<TriedEvent> {
  const { path, eventFile } = options;
  if (change !== undefined) {
    return await withPath(path, () => openChange(change, workflow, stage));
  }
  return eventFile === undefined
    ? await withPath(path, () => createEvent(workflow, { ...options, round }, stage))
    : await readAs(eventFile, (text) => readEvent(text, workflow, options, stage));
}

/** How a run of the workflow ended. */
type Verdict = 'Green' | 'Red' | 'Nothing ran';

/** Which attempt of which run. */
interface Attempt {
  readonly runId: number;
  readonly attempt: number;
}

/** Runs one attempt. */
async function runAttempt(
  { runId, attempt }: Attempt,
  options: RunOptions,
  { workflow, checkout }: Tried,
  { name, payload, actor = options.login, isFromFork = false, ...event }: TriedEvent,
  stage: Stage,
  signal: AbortSignal,
): Promise<Verdict> {
  const { apiKey, projectId } = stage.sandbox;
  const each = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((key) => [key, value]));
  const { path, repository } = options;
  const variables = {
    ...each(workflow.projectVariables, projectId),
    ...each(workflow.agentVariables, 'docs-agent[bot]'),
    ...each(workflow.docsVariables, DOCS_REPOSITORY),
    ...options.variables,
  };
  const { exitCode, log } = await stage.run({
    workflow: path,
    repository,
    ...(checkout === undefined ? {} : { checkout }),
    eventName: name,
    event: payload,
    actor,
    runId: event.runId ?? runId,
    attempt,
    isFromFork,
    secrets: {
      ...each(workflow.keySecrets, apiKey),
      ...each(workflow.projectSecrets, projectId),
      ...options.secrets,
    },
    variables,
    ownReferences: workflow.ownReferences,
    thirdParty: workflow.thirdParty.map(({ uses }) => uses),
    checkouts: workflow.checkouts,
    labels: workflow.labels,
    show: showLine,
    signal,
    timeoutMs: options.minutes * 60_000,
  });
  const [owner] = repository.split('/');
  const github = {
    event: payload,
    event_name: name,
    actor,
    triggering_actor: actor,
    repository,
    repository_owner: owner,
  };
  const vars = isFromFork ? {} : { DOCS_PROJECT_ID: projectId, ...variables };
  const skipped = explainSkipped(workflow.jobs, log, { github, vars });
  if (!log.includes('⭐ Run ')) {
    console.log(
      [
        `No job ran in ${repository} (--repository, --label, --comment, --as or --var may change that).`,
        ...skipped,
      ].join('\n'),
    );
    return 'Nothing ran';
  }
  const note = options.eventFile === undefined ? noteOnEvent(log) : undefined;
  for (const line of [...skipped, ...(note === undefined ? [] : [note])]) {
    console.log(line);
  }
  return exitCode === 0 ? 'Green' : 'Red';
}

/** Runs all attempts of one run, one after the other. */
async function runAttempts(
  runId: number,
  options: RunOptions,
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
    verdict = await runAttempt({ runId, attempt }, options, tried, event, stage, signal);
  }
  if (event.runId !== undefined && verdict !== 'Nothing ran') {
    concludeRun(stage, event.runId, verdict === 'Green' ? 'success' : 'failure');
  }
  await waitForAgent(stage, signal);
  return verdict;
}

function hasFollowUps({ rounds, repository }: RunOptions, { namesJob }: Workflow): boolean {
  return rounds > 1 || repository === DOCS_REPOSITORY || namesJob;
}

/** Whether the workflow has been started. */
let hasStarted = false;

async function main(signal: AbortSignal): Promise<void> {
  // npm runs a script in the folder of package.json, and sets INIT_CWD to the folder of the caller.
  const given = readTryOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? '.');
  if (given === undefined) {
    console.log(usage);
    return;
  }
  const tried = await openWorkflow(given);
  const { workflow, warnings } = tried;
  const options: RunOptions = { ...given, repository: workflow.repository };
  const change = options.change === undefined ? undefined : readChange(options.change);
  await using stage = await openStage({
    hasGh: workflow.usesGh,
    ...(hasFollowUps(options, workflow) ? { workMs: LONGER_THAN_POLLS } : {}),
    docs: change?.docs,
  });
  let before: ReturnType<typeof stateOf> | undefined;
  const stateOf = () => ({
    requests: stage.sandbox.requests.length,
    threads: readThreads(stage),
  });
  let verdict: Verdict = 'Nothing ran';
  for (let round = 1; round <= options.rounds; round += 1) {
    const event = await chooseEvent(options, round, workflow, change, stage);
    console.log(heading(event.description));
    if (round === 1) {
      const notes = notesOn(workflow, given, event, [...warnings, ...(change?.warnings ?? [])]);
      console.log(`${notes.join('\n')}\n`);
    }
    before ??= stateOf();
    hasStarted = true;
    verdict = await runAttempts(round, options, tried, event, stage, signal);
  }
  const { requests, threads } = before ?? stateOf();
  const sent = stage.sandbox.requests.slice(requests);
  console.log(describeResults(verdict, sent, threads, readThreads(stage)).join('\n'));
  process.exitCode = verdict === 'Green' ? 0 : 1;
}

const stop = new AbortController();
void waitForStop('try').then(() => stop.abort(new Error('it was interrupted')));
// `head` closes the pipe once it has its lines.
process.stdout.on('error', () => stop.abort(new Error('nothing reads its output any more')));
try {
  await main(stop.signal);
} catch (error) {
  console.error(
    `${hasStarted ? 'The run did not finish' : 'Nothing was run'}: ${sentenceOf(error)}`,
  );
  process.exitCode = 1;
}
