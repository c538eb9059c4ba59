import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import * as v from 'valibot';
import { githubClient } from '../../sandbox/github/client.ts';
import { complete, type Payload } from '../../sandbox/github/event.ts';
import type { GitRepository } from '../../sandbox/github/git.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { repositoryFolder, repositoryName } from '../../scripts/actions.ts';
import { act, gh } from '../../scripts/tools.ts';
import { type ActResult, createLingering, runAct } from './act.ts';
import { createGh, openGhSocket } from './gh-socket.ts';
import { permissionsOf } from './permissions.ts';
import { copyActions, createRepository, type RepositoryContent } from './repository.ts';
import { createCheckoutStandIn, createStandIns, type StandIns } from './stand-ins.ts';

/** Which workflow to run, and how it is triggered. */
interface RunOptions extends RepositoryContent {
  /** The job to run, and the values of its matrix; every job by default. */
  readonly job?: { readonly name: string; readonly matrix: Readonly<Record<string, string>> };
  readonly eventName: string;
  /** What the event carries, beside what every event does. */
  readonly event: Payload;
  readonly actor: string;
  readonly runId?: number;
  /** The number of this attempt of the run; 1 by default. */
  readonly attempt?: number;
  /** Set for a pull request from a fork, to whose runs GitHub gives neither secrets nor variables. */
  readonly isFromFork?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** References to this repository, as `owner/name@reference`, in addition to its own name at `v1`. */
  readonly ownReferences?: readonly string[];
  /** Values of `uses:` that refer to other repositories; these are not run. */
  readonly thirdParty?: readonly string[];
  /** References to actions/checkout, as `actions/checkout@reference`. */
  readonly checkouts?: readonly string[];
  /** A folder with programs that take precedence over those of the machine. */
  readonly programs?: string;
  /** Labels in `runs-on`, in addition to `ubuntu-latest`. */
  readonly labels?: readonly string[];
  /** Called with each line that act prints. */
  readonly show?: (line: string) => void;
  /** Ends the run after this time; 10 minutes by default. */
  readonly timeoutMs?: number;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
}

/** A sandbox, and act to run workflows against it, all on this machine. */
export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox;
  run(options: RunOptions): Promise<ActResult>;
}

export interface StageOptions {
  /** How long the agent works; as long as the sandbox's default by default. */
  readonly workMs?: number;
  /** A repository to use as `acme/docs`, which is closed in the end. */
  readonly docs?: GitRepository | undefined;
  /** Whether the workflows may use GitHub's command line tool, which is fetched if need be; true by default. */
  readonly hasGh?: boolean;
}

/** Starts a sandbox, and prepares folders for the runs. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(opened, options);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** @param opened collects everything that has to be closed */
async function open(
  opened: AsyncDisposableStack,
  { hasGh = true, ...sandboxOptions }: StageOptions,
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sandbox = await startSandbox(sandboxOptions);
  opened.defer(() => sandbox.close());
  const { github } = sandbox;
  const socket = await openGhSocket(folder, github.url);
  opened.defer(() => socket.close());
  const actProgram = await act();
  const ghFolder = hasGh ? createGh(join(folder, 'gh-program'), await gh(), github.url) : undefined;
  const actionsFolder = copyActions(join(folder, 'action'), sandbox.url);
  const lingering = createLingering(join(folder, 'lingering'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  let runs = 0;

  return {
    sandbox,
    async run(options) {
      runs += 1;
      const home = join(folder, `run-${runs}`);
      const { folder: runFolder, ...paths } = prepareRun(home, options, sandbox);
      const { eventName, actor, job, show, signal, timeoutMs } = options;
      const token = github.workflowToken(accessOf(options));
      return await runAct({
        ...paths,
        program: actProgram,
        repositoryFolder: runFolder,
        cacheFolder: join(folder, 'caches'),
        eventName,
        actor,
        ...(job === undefined ? {} : { job }),
        secrets: { GITHUB_TOKEN: token, ...secretsOf(options, sandbox) },
        variables: variablesOf(options, sandbox),
        env: {
          GITHUB_API_URL: github.url,
          GITHUB_SERVER_URL: github.url,
          GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
          GITHUB_TRIGGERING_ACTOR: actor,
          // act reads the commit of the run from this variable, or else from the local folder.
          SHA_REF: await commitOf(options, sandbox),
          // act sets only the workflow's name.
          GITHUB_WORKFLOW_REF: `${options.repository ?? PRODUCT_REPOSITORY}/${paths.workflow}@refs/heads/main`,
          GITHUB_RUN_ID: String(options.runId ?? runs),
          GITHUB_RUN_ATTEMPT: String(options.attempt ?? 1),
          // gh caches responses there.
          TMPDIR: temporary,
          ...socket.env,
          ...lingering.env,
        },
        localRepositories: {
          ...createStandIns(join(home, 'others'), options.thirdParty ?? []),
          ...createCheckoutStandIn(join(home, 'checkout'), options.checkouts ?? [], runFolder),
          ...ownActions(actionsFolder, options),
        },
        labels: [...new Set(['ubuntu-latest', ...(options.labels ?? [])])],
        ...(show === undefined ? {} : { show }),
        ...(signal === undefined ? {} : { signal }),
        timeoutMs,
        ownEnv: {
          ...allowedEnvironment(),
          HOME: home,
          XDG_CACHE_HOME: join(home, 'cache'),
          XDG_CONFIG_HOME: join(home, 'config'),
          PATH: searchPath(
            options.programs,
            lingering.programs,
            dirname(process.execPath),
            ghFolder,
          ),
          // Keeps act from asking its makers' server for a newer version.
          ACT_DISABLE_VERSION_CHECK: '1',
        },
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const pushSchema = v.object({ after: v.string() });

/** The commit that a run is about: the pushed one, or else the newest of the main branch. */
async function commitOf(
  { event, repository = PRODUCT_REPOSITORY }: RunOptions,
  { github }: Sandbox,
): Promise<string> {
  if (v.is(pushSchema, event)) {
    return event.after;
  }
  const client = githubClient(github.url, github.tokens.owner);
  return (await client.branchHead(repository, 'main')) ?? '';
}

/** Creates the folders and files that a run needs. */
function prepareRun(home: string, options: RunOptions, { github }: Sandbox) {
  const { event, actor: login, repository = PRODUCT_REPOSITORY } = options;
  const workflow = createRepository(home, options);
  const startFolder = join(home, 'empty');
  mkdirSync(startFolder);
  const eventPath = join(home, 'event.json');
  writeFileSync(eventPath, JSON.stringify(complete(event, github, { login, repository })));
  return { folder: join(home, 'repository'), workflow, startFolder, eventPath };
}

/**
 * What the token of a run may do. A run for a fork's pull request can only read.
 *
 * @throws Error when GitHub would not start the workflow
 */
export function accessOf({
  workflow,
  checkout,
  isFromFork,
  repository = PRODUCT_REPOSITORY,
}: Pick<RunOptions, 'workflow' | 'checkout' | 'isFromFork' | 'repository'>) {
  const text = readFileSync(resolve(repositoryFolder, workflow), 'utf8');
  const permissions = permissionsOf(text, (uses) => readCalled(uses, checkout));
  const readOnly = Object.keys(permissions).map((scope) => [scope, 'read'] as const);
  return {
    repository,
    permissions: isFromFork === true ? Object.fromEntries(readOnly) : permissions,
  };
}

/** The text of a workflow of the same checkout. */
function readCalled(uses: string, checkout: string | undefined): string | undefined {
  const path = uses.startsWith('./') && checkout !== undefined ? join(checkout, uses) : undefined;
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function secretsOf({ isFromFork, secrets }: RunOptions, { apiKey }: Sandbox) {
  return isFromFork === true ? {} : { DOCS_API_KEY: apiKey, ...secrets };
}

function variablesOf({ isFromFork, variables }: RunOptions, { projectId }: Sandbox) {
  return isFromFork === true ? {} : { DOCS_PROJECT_ID: projectId, ...variables };
}

/** Maps every reference to this repository to the folder with its actions. */
function ownActions(actionsFolder: string, { ownReferences = [] }: RunOptions): StandIns {
  const references = [`${repositoryName()}@v1`, ...ownReferences];
  return Object.fromEntries(references.map((reference) => [reference, actionsFolder]));
}

/**
 * The only variables of this machine that a step gets: paths, language, time zone, proxies and
 * certificates. The steps run here without a container, and other variables may hold tokens.
 */
function allowedEnvironment(): NodeJS.ProcessEnv {
  const allowed =
    /^(?:PATH|LANG|LC_\w+|TZ|(?:HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => allowed.test(name)));
}

/**
 * A PATH of absolute folders. A relative folder would be looked up where the step runs, in an
 * untrusted checkout.
 */
function searchPath(...first: readonly (string | undefined)[]): string {
  const all = [...first, ...(process.env['PATH'] ?? '').split(delimiter)];
  return all.filter((folder) => folder !== undefined && isAbsolute(folder)).join(delimiter);
}
