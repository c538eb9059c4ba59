import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { PRODUCT_REPOSITORY } from '../sandbox/github-seed.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { repositoryFolder } from '../scripts/bundle.ts';
import { repositoryName } from '../scripts/repository-name.ts';
import { act, gh } from '../scripts/tools.ts';
import { type ActResult, runAct } from './act.ts';
import { openGhSocket } from './gh-socket.ts';

/** How a workflow is started. */
export interface Start {
  /** Path in this repository. */
  readonly workflow: string;
  /** The one job to run, and which of its matrix; all of them when left out. */
  readonly job?: { readonly name: string; readonly matrix: Readonly<Record<string, string>> };
  /** Whether the workflow's repository is this one, with everything in it. */
  readonly isOwn?: boolean;
  readonly eventName: string;
  readonly event: unknown;
  readonly actor: string;
  /** The repository that the workflow lies in; the product's when left out. */
  readonly repository?: string;
  /** Further files of that repository, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly runId?: number;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A service, a GitHub, and whatever runs workflows: all of it on this machine. */
export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  run(start: Start): Promise<ActResult>;
}

/** Sets a stage up; each has a service, a GitHub and folders of its own. */
export async function openStage(): Promise<Stage> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** @param opened Gets everything that is to be closed again. */
async function open(opened: AsyncDisposableStack): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox();
  opened.defer(() => sandbox.close());
  const socket = await openGhSocket(folder, sandbox.github.url);
  opened.defer(() => socket.close());
  const programs = { act: act(), gh: gh() };
  const action = stageAction(join(folder, 'action'), sandbox.url);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  let runs = 0;

  return {
    sandbox,
    async run(start) {
      const { eventName, event, actor, runId, secrets, variables, job } = start;
      runs += 1;
      const home = join(folder, `run-${runs}`);
      const workflow = stageRepository(home, start);
      const eventPath = join(home, 'event.json');
      writeFileSync(eventPath, JSON.stringify(event));
      return await runAct({
        program: programs.act,
        repositoryFolder: join(home, 'repository'),
        workflow,
        ...(job === undefined ? {} : { job }),
        eventName,
        eventPath,
        actor,
        secrets: {
          GITHUB_TOKEN: sandbox.github.tokens.actions,
          DOCS_API_KEY: sandbox.apiKey,
          ...secrets,
        },
        variables: { DOCS_PROJECT_ID: sandbox.projectId, ...variables },
        env: {
          GITHUB_API_URL: sandbox.github.url,
          GITHUB_SERVER_URL: sandbox.github.url,
          GITHUB_RUN_ID: String(runId ?? runs),
          // gh keeps some answers there.
          TMPDIR: temporary,
          ...socket.env,
        },
        localRepositories: { [`${repositoryName()}@v1`]: action },
        ownEnv: {
          ...process.env,
          HOME: home,
          XDG_CACHE_HOME: join(home, 'cache'),
          XDG_CONFIG_HOME: join(home, 'config'),
          PATH: [dirname(process.execPath), dirname(programs.gh), process.env['PATH']].join(
            delimiter,
          ),
        },
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** What is published, but for the service's address: the sandbox takes the place of the default. */
function stageAction(folder: string, serviceUrl: string): string {
  for (const part of ['action.yml', 'visitors', 'dist', '.github/workflows']) {
    cpSync(join(repositoryFolder, part), join(folder, part), { recursive: true });
  }
  for (const manifest of ['action.yml', 'visitors/action.yml']) {
    const path = join(folder, manifest);
    const text = readFileSync(path, 'utf8');
    const address = 'default: https://api.mintlify.com';
    if (text.split(address).length !== 2) {
      throw new Error(`${manifest} does not have the service's address exactly once.`);
    }
    writeFileSync(path, text.replace(address, `default: ${serviceUrl}`));
  }
  return folder;
}

/**
 * A repository that holds the workflow, byte by byte as it is published.
 *
 * @returns The workflow's path in it.
 */
function stageRepository(
  home: string,
  { workflow, isOwn = false, repository, files = {} }: Start,
): string {
  const path = join('.github/workflows', basename(workflow));
  const folder = join(home, 'repository');
  mkdirSync(folder, { recursive: true });
  for (const [from, to] of isOwn ? ownFiles() : [[workflow, path]]) {
    cpSync(join(repositoryFolder, from), join(folder, to));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  git(
    folder,
    'remote',
    'add',
    'origin',
    `https://github.com/${repository ?? PRODUCT_REPOSITORY}.git`,
  );
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
  return path;
}

function ownFiles(): (readonly [from: string, to: string])[] {
  const listed = git(
    repositoryFolder,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
  );
  return listed
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repositoryFolder, path)))
    .map((path) => [path, path]);
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...author },
  });
}

const author = {
  GIT_AUTHOR_NAME: 'Rehearsal',
  GIT_AUTHOR_EMAIL: 'rehearsal@example.com',
  GIT_COMMITTER_NAME: 'Rehearsal',
  GIT_COMMITTER_EMAIL: 'rehearsal@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
