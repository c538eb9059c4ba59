import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { repositoryName } from '../scripts/repository-name.ts';
import { act, gh } from '../scripts/tools.ts';
import { type ActResult, runAct } from './act.ts';
import { openGhSocket } from './gh-socket.ts';
import { type Staging, stageAction, stageRepository } from './staging.ts';
import { type StandIns, standInForCheckout, standInForOthers } from './stand-ins.ts';

/** How a workflow is started. */
export interface Start extends Staging {
  /** The one job to run, and which of its matrix; all of them when left out. */
  readonly job?: { readonly name: string; readonly matrix: Readonly<Record<string, string>> };
  readonly eventName: string;
  readonly event: unknown;
  readonly actor: string;
  readonly runId?: number;
  /** Which attempt of the run it is; the first when left out. */
  readonly attempt?: number;
  /** For the pull request of a fork, to which GitHub gives neither secrets nor variables. */
  readonly isFromFork?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** By which names it uses this repository, as `owner/name@reference`, beside its own at `v1`. */
  readonly published?: readonly string[];
  /** What it uses of other repositories: values of `uses:`, of which none is played. */
  readonly foreign?: readonly string[];
  /** By which names it uses actions/checkout, as `actions/checkout@reference`. */
  readonly checkouts?: readonly string[];
  /** A folder whose programs its steps find first. */
  readonly programs?: string;
  /** What its jobs run on, beside `ubuntu-latest`. */
  readonly labels?: readonly string[];
  /** Told each line that act prints. */
  readonly show?: (line: string) => void;
  /** Ends it early. */
  readonly signal?: AbortSignal;
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
      runs += 1;
      const home = join(folder, `run-${runs}`);
      const { repositoryFolder, ...places } = stage(home, start);
      const { eventName, actor, job, show, signal } = start;
      return await runAct({
        ...places,
        program: programs.act,
        repositoryFolder,
        cacheFolder: join(folder, 'caches'),
        eventName,
        actor,
        ...(job === undefined ? {} : { job }),
        secrets: { GITHUB_TOKEN: sandbox.github.tokens.actions, ...secretsOf(start, sandbox) },
        variables: variablesOf(start, sandbox),
        env: {
          GITHUB_API_URL: sandbox.github.url,
          GITHUB_SERVER_URL: sandbox.github.url,
          GITHUB_GRAPHQL_URL: `${sandbox.github.url}/graphql`,
          GITHUB_TRIGGERING_ACTOR: actor,
          GITHUB_RUN_ID: String(start.runId ?? runs),
          GITHUB_RUN_ATTEMPT: String(start.attempt ?? 1),
          // gh keeps some answers there.
          TMPDIR: temporary,
          ...socket.env,
        },
        localRepositories: {
          ...standInForOthers(join(home, 'others'), start.foreign ?? []),
          ...standInForCheckout(join(home, 'checkout'), start.checkouts ?? [], repositoryFolder),
          ...publishedAs(action, start),
        },
        labels: [...new Set(['ubuntu-latest', ...(start.labels ?? [])])],
        ...(show === undefined ? {} : { show }),
        ...(signal === undefined ? {} : { signal }),
        ownEnv: {
          ...ownEnvironment(),
          HOME: home,
          XDG_CACHE_HOME: join(home, 'cache'),
          XDG_CONFIG_HOME: join(home, 'config'),
          PATH: searchPath(start.programs, dirname(process.execPath), dirname(programs.gh)),
          // What is tried is nobody else's business.
          ACT_DISABLE_VERSION_CHECK: '1',
        },
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Lays out what a run needs, each in a folder of its own. */
function stage(home: string, start: Start) {
  const workflow = stageRepository(home, start);
  const startFolder = join(home, 'empty');
  mkdirSync(startFolder);
  const eventPath = join(home, 'event.json');
  writeFileSync(eventPath, JSON.stringify(start.event));
  return { repositoryFolder: join(home, 'repository'), workflow, startFolder, eventPath };
}

function secretsOf({ isFromFork, secrets }: Start, { apiKey }: Sandbox) {
  return isFromFork === true ? {} : { DOCS_API_KEY: apiKey, ...secrets };
}

function variablesOf({ isFromFork, variables }: Start, { projectId }: Sandbox) {
  return isFromFork === true ? {} : { DOCS_PROJECT_ID: projectId, ...variables };
}

/** Every name under which this repository is used, with the folder that has what is published. */
function publishedAs(action: string, { published = [] }: Start): StandIns {
  const names = [`${repositoryName()}@v1`, ...published];
  return Object.fromEntries(names.map((name) => [name, action]));
}

/**
 * What a step may know of this machine: how to get out of it, and nothing else. Whoever tries a
 * workflow may have tokens in their environment, and its steps run here without a container.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  const known =
    /^(?:PATH|LANG|LC_\w+|TZ|(?:HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => known.test(name)));
}

/** Where programs are looked for: never in the folder of a step, which holds somebody's files. */
function searchPath(...first: readonly (string | undefined)[]): string {
  const all = [...first, ...(process.env['PATH'] ?? '').split(delimiter)];
  return all.filter((folder) => folder !== undefined && isAbsolute(folder)).join(delimiter);
}
