import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse as parseCsv } from 'csv-parse/sync';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import type { Fault } from '../../sandbox/github/faults.ts';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { type GitHub, type SeenRequest, startGitHub } from '../../sandbox/github/github.ts';
import { addPull, type Comment } from '../../sandbox/github/state.ts';
import { startCacheService } from '../../sandbox/runner/cache-service.ts';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import type { Cache } from '../../src/runner/cache.ts';
import { type ActionStep, isAgainstBundle, runAction } from './run-action.ts';
import {
  active,
  apiKey,
  closedUrl,
  created,
  done,
  githubToken,
  oneJob,
  permissions,
  type Reply,
  type Routes,
  type ScriptedApi,
  type ScriptedGitHub,
  scriptedApi,
  startBoth,
  working,
} from './servers.ts';

/* Runs an action, and reads what came out. test/README.md explains it. */

/* What ran: the agent */

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

/** Runs the agent as a step of a workflow that was triggered by an event in `acme/product`. */
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

/** Runs the agent on an issue that the owner labelled. */
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

/**
 * What a cache answers in place of what was asked for, by what that was; `silence` for nothing at all,
 * `late` for what was asked for, but only after the step would have ended, `slow` for three requests of
 * 600 ms on the step's clock.
 */
type CacheFault = (
  operation: 'find' | 'save',
) =>
  | Extract<Awaited<ReturnType<Cache['find']>>, { kind: 'failed' | 'unavailable' }>
  | 'silence'
  | 'late'
  | 'slow'
  | undefined;

/** A run that may not write the cache, or read it. */
export const denied: CacheFault = (operation) =>
  operation === 'find'
    ? { kind: 'unavailable' }
    : { kind: 'failed', problem: 'the cache is read-only for this run' };

export interface MemoryCache extends Cache {
  /** The keys of its entries, oldest first; a test may forge some. */
  readonly keys: string[];
  readonly operations: ('find' | 'save')[];
}

/**
 * A cache in memory, with the rules of a real one: the first prefix that has any entry, its newest. Each
 * request to a real one costs a process: test/unit/runner/cache.test.ts shows what a service leads to.
 */
export function memoryCache(fault: CacheFault = () => undefined): MemoryCache {
  const keys: string[] = [];
  const operations: MemoryCache['operations'] = [];
  const begin = async (operation: 'find' | 'save', signal: AbortSignal) => {
    signal.throwIfAborted();
    operations.push(operation);
    const answer = fault(operation);
    if (answer === 'silence') {
      await new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    }
    if (answer === 'slow') {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(3 * 600)]);
      await new Promise((resolve) => ends.addEventListener('abort', resolve));
      signal.throwIfAborted();
    }
    if (answer === 'late') {
      await setTimeout(50);
    }
    return typeof answer === 'object' ? answer : undefined;
  };
  return {
    keys,
    operations,
    async find(prefixes, signal) {
      const answer = await begin('find', signal);
      const found = prefixes.flatMap(
        (prefix) => keys.findLast((key) => key.startsWith(prefix)) ?? [],
      );
      return answer ?? { kind: 'ok', value: found.slice(0, 1) };
    },
    async save(key, signal) {
      const answer = await begin('save', signal);
      if (answer === undefined) {
        keys.push(key);
      }
      return answer ?? { kind: 'saved' };
    },
  };
}

/** The attempts of one run, with one API and one cache. */
export interface Attempts {
  readonly api: ScriptedApi;
  readonly cache: MemoryCache;
  /** How many requests started paid work. */
  posts(): number;
  /** Runs the step as the given attempt of the same run. */
  attempt(number: number, step?: AgentRun): ReturnType<typeof runAgent>;
}

/**
 * @param script of the API, over all attempts
 * @param protocol of a cache service that the attempts share, in place of a cache in memory
 */
export async function startAttempts(
  script: readonly Reply[],
  {
    protocol = isAgainstBundle ? 'v2' : undefined,
    fault,
    onCall = () => undefined,
  }: {
    readonly protocol?: 'v1' | 'v2' | undefined;
    readonly fault?: CacheFault;
    /** Called with each request to the API before the response, such as `GET /v2/agent/p/job/1`. */
    readonly onCall?: (call: string) => void;
  } = {},
): Promise<Attempts> {
  const api = await scriptedApi(script, ({ method, path }) => onCall(`${method} ${path}`));
  const memory = memoryCache(fault);
  const service = protocol && (await startCacheService());
  onTestFinished(async () => {
    await Promise.all([api.close(), service?.close()]);
  });
  return {
    api,
    cache: memory,
    posts: () => api.posts.length,
    attempt: (number, { env, ...step } = {}) =>
      runAgent({
        baseUrl: api.url,
        ...(service === undefined && { cache: memory }),
        ...step,
        env: {
          ...(protocol && service?.variables(protocol)),
          GITHUB_RUN_ATTEMPT: String(number),
          ...env,
        },
      }),
  };
}

/* What ran: the agent, with a scripted GitHub */

export interface GitHubRun extends StepResult {
  readonly github: ScriptedGitHub;
  readonly api: ScriptedApi;
  /** How many requests a route received, such as `GET /path`. */
  count(route: string): number;
  /** The bodies of the requests with this route. */
  sent(route: string): readonly Readonly<Record<string, unknown>>[];
  /** The texts of all comments that were written, oldest first. */
  written(): readonly string[];
}

type GitHubScript = (github: ScriptedGitHub) => readonly Reply[];

async function runOnGitHub(
  routes: Routes,
  script: GitHubScript,
  step: Omit<EventRun, 'githubUrl' | 'baseUrl'>,
): Promise<GitHubRun> {
  const { github, api } = await startBoth(routes, script);
  const result = await runOnEvent({ githubUrl: github.url, baseUrl: api.url, ...step });
  const bodies = (isMeant: (route: string) => boolean) =>
    github.arrivals
      .filter(({ method, path }) => isMeant(`${method} ${path.split('?')[0]}`))
      .map(({ body }) => JSON.parse(body));
  return {
    ...result,
    github,
    api,
    count: (route) => github.calls.filter((call) => call.split('?')[0] === route).length,
    sent: (route) => bodies((each) => each === route),
    written: () =>
      bodies((each) => /^(?!GET).*comments/.test(each)).map(({ body }) => String(body)),
  };
}

/** Runs the step for the label that the owner sets on issue 7, with changes to a GitHub that works. */
export function runWithComment(
  routes: Routes,
  step: Partial<EventRun> = {},
  script: readonly Reply[] | GitHubScript = [created, active, done],
): Promise<GitHubRun> {
  return runOnGitHub(
    { ...working, ...routes },
    typeof script === 'function' ? script : () => script,
    { eventName: 'issues', event: 'issues-labeled-by-owner', ...step },
  );
}

/** Runs the step on a schedule, with a label and what it does about an open pull request. */
export function runWithLabel(
  routes: Routes,
  inputs: Readonly<Record<string, string>> = {},
  script: GitHubScript = oneJob,
  step: Partial<EventRun> = {},
): Promise<GitHubRun> {
  return runOnGitHub(routes, script, {
    eventName: 'schedule',
    event: 'schedule',
    ...step,
    inputs: {
      'pr-label': 'docs',
      'on-open-pr': 'continue',
      'docs-repository': 'acme/docs',
      ...inputs,
    },
  });
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

/* What ran: the check */

const serverUrl = 'https://github.example';
const repository = 'acme/docs';
const number = 12;

export interface CheckRun extends Pick<ActionStep, 'cancel' | 'env' | 'event' | 'inputs'> {
  /** Files of the repository where the pull request's branch begins, by path. */
  readonly before: Files;
  /** Its files as the pull request would have them. */
  readonly after: Files;
  readonly comments?: readonly Pick<Comment, 'login' | 'body'>[];
  readonly faults?: readonly Fault[];
  /** `workflow_dispatch` by default, so the pull request is named by input `pr-link`. */
  readonly eventName?: string;
}

const placeSchema = v.object({ file: v.string(), line: v.nullable(v.number()) });

const findingsSchema = v.array(
  v.object({ ...placeSchema.entries, rule: v.string(), others: v.array(placeSchema) }),
);

export interface CheckResult extends StepResult {
  /** Empty without one. */
  readonly verdict: string;
  /** Such as `broken-link guides/a.mdx:3`, sorted. */
  readonly found: readonly string[];
  readonly headSha: string;
  readonly requests: readonly SeenRequest[];
  /** The comments on the pull request in the end. */
  readonly comments: readonly Comment[];
}

/**
 * Runs the check as a step on a pull request of a repository on a stand-in for GitHub.
 * @throws when the step wrote an output that action.yml does not declare
 */
export async function judge(run: CheckRun): Promise<CheckResult> {
  const { comments = [], faults = [] } = run;
  const { git, head, mergeBase } = commitPull(run);
  const identities = new Map([[githubToken, { login: 'github-actions[bot]', isApp: true }]]);
  const repositories = [{ name: repository, git }];
  const github = await startGitHub({ repositories, identities, faults, serverUrl });
  try {
    addPull(github, repository, { number, base: mergeBase, head });
    github.comments.push(
      ...comments.map((comment, index) => ({ id: 100 + index, repository, number, ...comment })),
    );
    const result = await runOn(github, run);
    const findings = v.parse(findingsSchema, JSON.parse(result.outputs['findings'] || '[]'));
    return {
      ...result,
      verdict: result.outputs['verdict'] ?? '',
      found: findings
        .map(({ rule, file, line }) => `${rule} ${file}${line === null ? '' : `:${line}`}`)
        .toSorted(),
      headSha: head,
      requests: github.requests,
      comments: github.comments,
    };
  } finally {
    await github.close();
  }
}

/**
 * Commits both versions of a pull request.
 * @param later what the base branch has since, if it has moved on
 */
export function commitPull({
  before,
  after,
  later,
}: Pick<CheckRun, 'before' | 'after'> & { readonly later?: Files | undefined }) {
  const git = createRepository();
  const mergeBase = git.commit({ files: before });
  const head = git.commit({ files: after, parents: [mergeBase] });
  const base = later === undefined ? mergeBase : git.commit({ files: later, parents: [mergeBase] });
  return { git, mergeBase, head, base };
}

function runOn(github: GitHub, run: CheckRun): Promise<StepResult> {
  const { eventName = 'workflow_dispatch', inputs = {}, env = {}, event, cancel } = run;
  return runAction('check', {
    context: {
      serverUrl,
      apiUrl: github.url,
      repository,
      actor: 'maintainer',
      eventName,
      token: githubToken,
    },
    ...(event === undefined ? {} : { event }),
    ...(cancel === undefined ? {} : { cancel }),
    inputs: {
      ...(event === undefined && { 'pr-link': `${serverUrl}/${repository}/pull/${number}` }),
      ...inputs,
    },
    env,
  });
}

/** Adds a docs.json whose navigation has all pages of `files`. */
export function withNavigation(files: Files): Files {
  const pages = Object.keys(files).map((path) => path.replace(/\.mdx$/, ''));
  return { 'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { pages } })}\n`, ...files };
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
