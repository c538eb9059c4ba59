import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import {
  type CacheFault,
  type CacheOperation,
  type CacheService,
  startCacheService,
} from '../../sandbox/runner/cache-service.ts';
import { inputVariables } from '../../sandbox/runner/env.ts';
import {
  type Kill,
  prepareFiles,
  readResults,
  runStep,
  type Step,
  type StepResult,
} from '../../sandbox/runner/runner.ts';
import { type Action, actions, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
// Loaded before the first run, whose clock does not see that it loads.
import '@actions/github';
import '../../src/network/undici.ts';
import { main as agent } from '../../src/agent/main.ts';
import { main as check } from '../../src/check/main.ts';
import type { Cache } from '../../src/runner/cache.ts';
import type { Host } from '../../src/runner/host.ts';
import { createRunner } from '../../src/runner/runner.ts';
import { CancelledError } from '../../src/text/error.ts';
import { main as visitors } from '../../src/visitors/main.ts';
import { startJumpingClock } from './jumping-clock.ts';
import {
  closedUrl,
  created,
  done,
  permissions,
  type Reply,
  type ScriptedApi,
  scriptedApi,
  startBoth,
} from './servers.ts';

/* Runs an action as a step, and reads what came out. test/README.md explains it. */

/** A step of one of the actions, without what follows from the action. */
export interface ActionStep extends Omit<Step, 'entry' | 'actionFile'> {
  /** How many times faster than real time the clock of a bundle runs; 1 by default. */
  readonly speed?: number;
  /** The step's date, ISO 8601; the real one by default. */
  readonly today?: string | undefined;
  /** Instead of the cache service that `env` names. A bundle has none of it. */
  readonly cache?: Cache | undefined;
}

const mains = { agent, check, visitors };

/**
 * The one switch: whole runs go through `main` in the process of the test, which is fast and tells the
 * lines of a failure. With RUN_AGAINST=dist, as in test/dist and test/hostile, they start the committed
 * bundle, as a runner does.
 */
const isAgainstBundle = process.env['RUN_AGAINST'] === 'dist';

/** Read once, because each test would parse the action.yml again. */
const manifests = new Map(
  actions.map((action) => {
    const { actionFile } = bundleOf(action);
    const outputs = Object.keys(readManifest(actionFile).outputs);
    return [action, { outputs, inputs: inputVariables(actionFile, {}, '{token}') }];
  }),
);

/**
 * Runs an action as a step.
 * @throws when the step wrote an output that its action.yml does not declare
 */
export async function runAction(action: Action, given: ActionStep): Promise<StepResult> {
  const { speed = 1, today, cache, ...step } = given;
  const { inputs = {}, outputs = [] } = manifests.get(action) ?? {};
  const defaults = Object.entries(inputs).map(([name, value]) => [
    name,
    value === '{token}' ? step.context.token : value,
  ]);
  const env = {
    // Node keeps compiled code there, which makes a process of the step start a quarter faster.
    NODE_COMPILE_CACHE: inRepository('build/compiled'),
    ...Object.fromEntries(defaults),
    ...inputVariables(undefined, step.inputs ?? {}, step.context.token),
    ...step.env,
  };
  const whole = { ...step, env, entry: bundleOf(action).entry };
  const result = isAgainstBundle
    ? await runStep(asProcess(whole, speed, today))
    : await runInProcess(action, whole, { today, cache });
  const undeclared = Object.keys(result.outputs).filter((name) => !outputs.includes(name));
  if (undeclared.length > 0) {
    throw new Error(`The action.yml does not declare these outputs: ${undeclared.join(', ')}`);
  }
  return result;
}

/** A step in a process of its own, whose clock is scaled by fast-clock.mjs. */
function asProcess(step: Step, speed: number, today: string | undefined): Step {
  if (speed === 1 && today === undefined) {
    return step;
  }
  const preload = new URL('fast-clock.mjs', import.meta.url).href;
  return {
    ...step,
    nodeArguments: ['--import', preload, ...(step.nodeArguments ?? [])],
    env: { FAST_CLOCK: String(speed), TODAY: today ?? '', ...step.env },
  };
}

/**
 * Runs an action as a step in this process. What it reads and writes is the same as in a process of its
 * own, but for signals, which are passed to it by hand, and the clock, which jumps. One at a time.
 */
async function runInProcess(
  action: Action,
  step: Step,
  { today, cache }: Pick<ActionStep, 'today' | 'cache'>,
): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  try {
    const env = prepareFiles(step, folder);
    const stop = new AbortController();
    const kill: Kill = (signal) => stop.abort(new CancelledError(`received ${signal}`));
    const { cancel } = step;
    // A mistake of ours: what the process does with an error that nobody catches.
    const onCancel = () =>
      cancel?.reason instanceof TypeError ? stop.abort(cancel.reason) : kill('SIGINT');
    cancel?.addEventListener('abort', onCancel);
    if (cancel?.aborted === true) {
      onCancel();
    }
    let isBroken = false;
    const host = hostOf(step, env, stop.signal, (line) => {
      // As a pipe does: a broken one is noticed when the next line is written.
      if (isBroken) {
        kill('SIGINT');
      } else {
        isBroken = step.onLine?.(line, 'stdout', kill) === 'break the log';
      }
    });
    const { clock, stop: stopClock } = startJumpingClock(today);
    const runner = createRunner(host, clock);
    await mains[action]({ ...runner, ...(cache && { cache }) }).finally(stopClock);
    cancel?.removeEventListener('abort', onCancel);
    const { exitCode, stdout } = host.ended();
    return { exitCode, signal: null, stdout, stderr: '', ...readResults(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A host that collects what a process would print, as the runner's commands. */
function hostOf(
  { entry }: Step,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  onLine: (line: string) => void,
) {
  let stdout = '';
  let exitCode = 0;
  const print = (line: string) => {
    stdout += `${line}\n`;
    onLine(line);
  };
  const command =
    (name: string) =>
    (message: string | Error, properties: object = {}) =>
      print(`::${name}${listed(properties)}::${escaped(String(message))}`);
  const fileOf = (name: string) => env[name] ?? '';
  const host: Host = {
    env,
    entry,
    signal,
    info: print,
    debug: command('debug'),
    notice: command('notice'),
    warning: command('warning'),
    error: command('error'),
    startGroup: command('group'),
    endGroup: () => print('::endgroup::'),
    setSecret: command('add-mask'),
    setOutput(name, value) {
      if (!existsSync(fileOf('GITHUB_OUTPUT'))) {
        throw new Error(`Missing file at path: ${fileOf('GITHUB_OUTPUT')}`);
      }
      const mark = 'ghadelimiter_of-the-tests';
      appendFileSync(fileOf('GITHUB_OUTPUT'), `${name}<<${mark}\n${value}\n${mark}\n`);
    },
    writeSummary: (markdown) => appendFile(fileOf('GITHUB_STEP_SUMMARY'), `${markdown}\n`),
    setFailed() {
      exitCode = 1;
    },
    exit() {},
  };
  return { ...host, ended: () => ({ exitCode, stdout }) };
}

/** Properties of a command have other names on the wire: `startLine` is `line`. */
function listed(properties: object): string {
  const parts = Object.entries(properties).map(([name, value]) => {
    const wireName = name === 'startLine' ? 'line' : name;
    return `${wireName}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`;
  });
  return parts.length === 0 ? '' : ` ${parts.join(',')}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/* What ran: the agent */

/** The API key of the tests. It must never appear outside the Authorization header. */
export const apiKey = 'mint_k3y-0f-th3-tests';

export interface AgentRun extends Partial<ActionStep> {
  readonly baseUrl?: string;
}

/** Runs the agent action as a step with a prompt, a key and a project. */
export function runAgent({ baseUrl, inputs, ...step }: AgentRun = {}): Promise<StepResult> {
  return runAction('agent', {
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: '',
    },
    ...step,
    inputs: {
      prompt: 'Describe the new flag.',
      'api-key': apiKey,
      'project-id': 'acme',
      'base-url': baseUrl ?? closedUrl,
      'poll-interval-seconds': '1',
      ...inputs,
    },
  });
}

/** The token of the tests. It must never appear outside the Authorization header. */
export const githubToken = 'ghs_t0ken-0f-th3-tests';

export interface EventRun extends Omit<AgentRun, 'context' | 'event'> {
  readonly eventName: string;
  /** A file of `test/fixtures/events`, without its extension, or a payload. */
  readonly event: string | object;
  readonly actor?: string;
  readonly githubUrl: string;
  /** The path of the API below `githubUrl`, as on GitHub Enterprise Server. */
  readonly apiPath?: string;
  readonly token?: string;
}

export function readEvent(name: string): unknown {
  const file = new URL(`../fixtures/events/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs the bundle as a step of a workflow that was triggered by an event in `acme/product`. */
export function runOnEvent(run: EventRun): Promise<StepResult> {
  const {
    eventName,
    event,
    actor = 'owner',
    githubUrl,
    apiPath = '',
    inputs,
    token,
    ...step
  } = run;
  return runAgent({
    ...step,
    context: {
      serverUrl: githubUrl,
      apiUrl: `${githubUrl}${apiPath}`,
      repository: 'acme/product',
      actor,
      eventName,
      token: token ?? githubToken,
    },
    event: typeof event === 'string' ? readEvent(event) : event,
    inputs: { ...inputs },
  });
}

/** Runs the agent against a scripted API. */
export async function runAgainst(script: readonly Reply[], step: AgentRun = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  const result = await runAgent({ baseUrl: api.url, ...step });
  const posts = api.posts.length;
  return { result, api, posts };
}

const issuePrompt = 'Title: {{event.issue.title}}\n\n{{ event.issue.body }}';

/** Runs the bundle on an issue that the owner labelled. */
export async function runOnIssue(issue: object, step: Partial<EventRun> = {}) {
  const { github, api } = await startBoth(permissions({ owner: 'admin' }), () => [created, done]);
  const owner = { login: 'owner', type: 'User' };
  const result = await runOnEvent({
    eventName: 'issues',
    event: { action: 'labeled', sender: owner, issue: { number: 7, user: owner, ...issue } },
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: { prompt: issuePrompt, comment: 'false', ...step.inputs },
  });
  const [arrival] = api.arrivals;
  const sent: unknown = arrival === undefined ? undefined : JSON.parse(arrival.body);
  return { ...result, sent };
}

type Protocol = 'v1' | 'v2';

/** The attempts of one run, with one API and one cache service. */
export interface Attempts {
  readonly api: ScriptedApi;
  readonly cache: CacheService;
  /** How many requests started paid work. */
  posts(): number;
  /** Runs the step as the given attempt of the same run. */
  attempt(number: number, step?: AgentRun): ReturnType<typeof runAgent>;
}

/**
 * The attempts share a cache service. Each request to a real one costs a process, so without a protocol or
 * a fault, and not in a bundle, they share a cache in memory.
 *
 * @param script of the API, over all attempts
 * @param fault of the cache service, told the attempt that is running
 */
export async function startAttempts(
  script: readonly Reply[],
  {
    protocol,
    fault,
    onCall = () => undefined,
  }: {
    readonly protocol?: Protocol;
    /** Called with each request to the API before the response, such as `GET /v2/agent/p/job/1`. */
    readonly onCall?: (call: string) => void;
    readonly fault?: (operation: CacheOperation, attempt: number) => CacheFault | undefined;
  } = {},
): Promise<Attempts> {
  let running = 0;
  const api = await scriptedApi(script, ({ method, path }) => onCall(`${method} ${path}`));
  const memory =
    isAgainstBundle || protocol !== undefined || fault !== undefined ? undefined : memoryCache();
  const cache =
    memory?.service ??
    (await startCacheService({ fault: (operation) => fault?.(operation, running) }));
  onTestFinished(async () => {
    await Promise.all([api.close(), cache.close()]);
  });
  return {
    api,
    cache,
    posts: () => api.posts.length,
    attempt(number, { env, ...step } = {}) {
      running = number;
      return runAgent({
        baseUrl: api.url,
        cache: memory?.cache,
        ...step,
        env: { ...cache.variables(protocol ?? 'v2'), GITHUB_RUN_ATTEMPT: String(number), ...env },
      });
    },
  };
}

/** A cache in memory, with the rules of a real one: the first prefix that has any entry, its newest. */
function memoryCache(): { readonly cache: Cache; readonly service: CacheService } {
  const keys: string[] = [];
  const operations: CacheOperation[] = [];
  const cache: Cache = {
    async find(prefixes, signal) {
      signal.throwIfAborted();
      operations.push('find');
      const found = prefixes.map((prefix) => keys.findLast((key) => key.startsWith(prefix)));
      const key = found.find((each) => each !== undefined);
      return key === undefined ? { kind: 'none' } : { kind: 'found', key };
    },
    async save(key, signal) {
      signal.throwIfAborted();
      operations.push('reserve', 'upload', 'commit');
      keys.push(key);
      return { kind: 'saved' };
    },
  };
  const service: CacheService = {
    variables: () => ({ GITHUB_SERVER_URL: 'https://github.com' }),
    operations,
    keys,
    plant: (key) => void keys.push(key),
    close: async () => {},
  };
  return { cache, service };
}

/* What ran: the export of visitors */

export interface VisitorsRun extends Partial<Omit<ActionStep, 'context'>> {
  readonly eventName?: string;
  readonly baseUrl?: string;
  /** A folder to work in; by default a new one with `files`. */
  readonly workspace?: string;
}

export interface VisitorsResult extends StepResult {
  /** Absolute path. */
  readonly workspace: string;
  /** Text of every file in the workspace, by path, including temporary ones. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs the visitors action as a step with a key and a project. */
export async function runVisitors(run: VisitorsRun = {}): Promise<VisitorsResult> {
  const { baseUrl, eventName = 'schedule', files, inputs, env, ...step } = run;
  const { workspace = newWorkspace(files), ...rest } = step;
  const result = await runAction('visitors', {
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'maintainer',
      eventName,
      token: '',
    },
    ...rest,
    inputs: {
      'api-key': apiKey,
      'project-id': 'acme',
      'base-url': baseUrl ?? closedUrl,
      ...inputs,
    },
    env: { GITHUB_WORKSPACE: workspace, ...env },
  });
  return { ...result, workspace, files: readFiles(workspace) };
}

/** A folder with files, which is removed after the test. */
export function newWorkspace(files: Readonly<Record<string, string>> = {}): string {
  const workspace = mkdtempSync(join(tmpdir(), 'visitors-'));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return workspace;
}

function readFiles(workspace: string): Record<string, string> {
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
      .map((path) => [path.slice(workspace.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** The rows of a CSV file that a run wrote, by column. */
export function csvRows(
  { files }: VisitorsResult,
  path: string,
): readonly Record<string, string>[] {
  const records: unknown = parseCsv(files[path] ?? '', { columns: true });
  return v.parse(v.array(v.record(v.string(), v.string())), records);
}

/** The results of a run, for a snapshot. Values that differ between runs are replaced. */
export function exportTranscript({
  exitCode,
  stdout,
  stderr,
  outputs,
  summary,
  files,
}: VisitorsResult) {
  return {
    exitCode,
    log: withoutPort(stdout)
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('::debug::')),
    ...(stderr !== '' && { stderr: withoutPort(stderr) }),
    outputs: Object.fromEntries(
      Object.entries(outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, withoutPort(value)]),
    ),
    summary: withoutPort(summary).trimEnd().split('\n'),
    files,
  };
}

/* What came out */

/** The results of a run, for a snapshot. Values that differ between runs are replaced. */
export function transcript(result: StepResult) {
  const { exitCode, stdout, stderr, outputs, summary } = result;
  return {
    exitCode,
    log: withoutRepeats(normalise(stdout).trimEnd().split('\n')),
    ...(stderr !== '' && { stderr: normalise(stderr) }),
    outputs: Object.fromEntries(
      Object.entries(outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, name === 'duration-seconds' ? 'SECONDS' : normalise(value)]),
    ),
    summary: normalise(summary).trimEnd().split('\n'),
  };
}

/** How many polls there are depends on the speed of the machine. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== lines[index - 1]);
}

function withoutPort(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}

function normalise(text: string): string {
  return withoutPort(text)
    .replace(/(in|after) \d+ (?:s|min)(?: \d+ s)?/g, '$1 TIME')
    .replace(/((?:Time taken|Waited) \| ).*( \|)/g, '$1TIME$2');
}

/** The log's lines that make an annotation of the given kind, but for the one that names the job. */
export function annotations(result: StepResult, kind: 'error' | 'warning' | 'notice'): string[] {
  return result.stdout
    .split('\n')
    .filter((line) => line.startsWith(`::${kind}::`) && !line.includes('::Docs agent: '))
    .map((line) => line.slice(kind.length + 4));
}
