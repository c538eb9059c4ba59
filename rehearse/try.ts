import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { PEOPLE, type Person, PRODUCT_REPOSITORY } from '../sandbox/github-seed.ts';
import { heading } from '../sandbox/terminal.ts';
import { repositoryName } from '../scripts/repository-name.ts';
import { as, commentsOn, pullsOf } from './findings.ts';
import { openStage, type Stage } from './stage.ts';
import { makeEvent, type TriedEvent } from './try-event.ts';
import { readWorkflow, type WorkflowFacts } from './workflow-text.ts';

const usage = `npm run try <workflow> runs a workflow of yours on this machine, against the sandbox.

  npm run try .github/workflows/docs.yml
  npm run try .github/workflows/docs.yml -- --as stranger

Options, behind --
  --as LOGIN     who triggers it: ${PEOPLE.join(', ')}; maintainer when left out
  --issue N      the issue of ${PRODUCT_REPOSITORY} that the event is about: 1, 2 or 3; 1 when left out
  --label NAME   the label that is set; the one that the workflow asks for when left out
  --event FILE   a JSON file with the payload of the workflow's first event, instead of one made up`;

interface Attempt {
  readonly path: string;
  readonly workflow: WorkflowFacts;
  readonly login: Person;
  readonly issue: number;
  readonly label: string | undefined;
  readonly eventFile: string | undefined;
}

/** @throws Error with one sentence on what cannot be used */
function readAttempt(args: readonly string[]): Attempt {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      as: { type: 'string', default: 'maintainer' },
      issue: { type: 'string', default: '1' },
      label: { type: 'string' },
      event: { type: 'string' },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new Error(`one workflow has to be named.\n\n${usage}`);
  }
  const login = PEOPLE.find((person) => person === values.as);
  if (login === undefined) {
    throw new Error(`--as is "${values.as}": give one of ${PEOPLE.join(', ')}.`);
  }
  if (!/^[123]$/.test(values.issue)) {
    throw new Error(`--issue is "${values.issue}": give 1, 2 or 3.`);
  }
  const path = fromHere(file);
  const { label } = values;
  const eventFile = values.event === undefined ? undefined : fromHere(values.event);
  return { path, workflow: open(path), login, issue: Number(values.issue), label, eventFile };
}

/** npm runs a script in this repository's folder, and says where it was called. */
function fromHere(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '.', path);
}

function open(path: string): WorkflowFacts {
  const repository = repositoryName();
  const workflow = about(path, () => readWorkflow(readFileSync(path, 'utf8'), repository));
  if (workflow.references.length === 0) {
    throw new Error(
      `${path} cannot be tried, because it has no step with "uses: ${repository}@…".`,
    );
  }
  return workflow;
}

function about<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${path} cannot be tried: ${error instanceof Error ? error.message : error}.`);
  }
}

async function chooseEvent(attempt: Attempt, stage: Stage): Promise<TriedEvent> {
  const { workflow, eventFile } = attempt;
  if (eventFile === undefined) {
    return await makeEvent(workflow, attempt, as('owner', stage)).catch((error: unknown) =>
      about(attempt.path, () => {
        throw error;
      }),
    );
  }
  const name = workflow.events[0]?.name ?? '';
  const payload: unknown = about(eventFile, () => JSON.parse(readFileSync(eventFile, 'utf8')));
  return { name, payload, description: `${name}, as in ${eventFile}` };
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

async function play(attempt: Attempt, stage: Stage): Promise<number> {
  const { path, workflow, login } = attempt;
  const { name, payload, description } = await chooseEvent(attempt, stage);
  const { apiKey, projectId } = stage.sandbox;
  const each = (names: readonly string[], value: string) =>
    Object.fromEntries(names.map((known) => [known, value]));
  console.log(heading(`${description[0]?.toUpperCase()}${description.slice(1)}`));
  const { exitCode } = await stage.run({
    workflow: path,
    ...checkoutOf(path),
    eventName: name,
    event: payload,
    actor: login,
    secrets: each(workflow.keySecrets, apiKey),
    variables: each(workflow.projectVariables, projectId),
    references: workflow.references,
    isShown: true,
  });
  return exitCode ?? 1;
}

/** What is there to be seen afterwards, at the service and on GitHub. */
async function tell({ issue }: Attempt, stage: Stage): Promise<void> {
  const requests = stage.sandbox.requests.map(
    ({ method, path, status }) => `${method} ${path} → ${status}`,
  );
  const pulls = (await pullsOf(stage)).map(
    ({ number, title, merged }) => `#${number} ${title}${merged ? ' (merged)' : ''}`,
  );
  const comments = (await commentsOn(issue, stage)).map(
    ({ user, body }) => `${user.login}:\n${body.replaceAll(/^/gm, '  | ')}`,
  );
  show('Requests to the service', requests);
  show('Pull requests of acme/docs', pulls);
  show(`Comments on ${PRODUCT_REPOSITORY}#${issue}`, comments);
}

function show(title: string, lines: readonly string[]): void {
  console.log(heading(title));
  console.log(lines.length === 0 ? 'none' : lines.join('\n'));
}

try {
  const attempt = readAttempt(process.argv.slice(2));
  await using stage = await openStage();
  process.exitCode = await play(attempt, stage);
  await tell(attempt, stage);
} catch (error) {
  console.error(`Nothing was tried: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
