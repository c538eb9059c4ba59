import * as v from 'valibot';
import type { CommitReports } from '../../sandbox/github/checks.ts';
import { type MemoryFiles, memoryStore } from '../../sandbox/github/git/memory-store.ts';
import type { Fault } from '../../sandbox/github/stand-in/faults.ts';
import type { DeclaredPull } from '../../sandbox/github/stand-in/pulls.ts';
import {
  type SeenRequest,
  type StandIn,
  startStandIn,
} from '../../sandbox/github/stand-in/stand-in.ts';
import type { ThreadComment } from '../../sandbox/github/stand-in/threads.ts';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type ActionStep, runAction } from './run-action.ts';
import { githubToken } from './run-on-event.ts';

const serverUrl = 'https://github.example';
const repository = 'acme/docs';
const number = 12;

export interface CheckRun extends Partial<Omit<ActionStep, 'context' | 'files'>> {
  /** Files of the repository where the pull request's branch begins, by path. */
  readonly before: MemoryFiles;
  /** Its files as the pull request would have them. */
  readonly after: MemoryFiles;
  /** States of the repository before that, oldest first; each is a commit. */
  readonly earlier?: readonly MemoryFiles[];
  /** The base branch, if it has moved on since. */
  readonly base?: MemoryFiles;
  readonly pull?: Partial<DeclaredPull>;
  /** What apps report on the commits of `acme/docs`. */
  readonly reports?: (commits: Commits) => Partial<CommitReports>;
  readonly comments?: readonly Pick<ThreadComment, 'login' | 'body'>[];
  readonly isPrivate?: boolean;
  readonly faults?: readonly Fault[] | ((commits: Commits) => readonly Fault[]);
  readonly latencyMs?: number;
  readonly maxTextBytes?: number;
  /** `workflow_dispatch` by default, so the pull request is named by input `pr-link`. */
  readonly eventName?: string;
}

/** SHAs of the merge base, the tip of the base branch, and the head. */
export interface Commits {
  readonly mergeBase: string;
  readonly base: string;
  readonly head: string;
}

const placeSchema = v.object({ file: v.string(), line: v.nullable(v.number()) });

const findingsSchema = v.array(
  v.object({
    ...placeSchema.entries,
    rule: v.string(),
    severity: v.picklist(['block', 'review']),
    what: v.string(),
    before: v.nullable(v.string()),
    after: v.nullable(v.string()),
    others: v.array(placeSchema),
  }),
);

const pagesSchema = v.array(
  v.object({ path: v.string(), status: v.string(), added: v.number(), removed: v.number() }),
);

export interface CheckResult extends StepResult {
  /** Empty without one. */
  readonly verdict: string;
  readonly findings: v.InferOutput<typeof findingsSchema>;
  readonly pages: v.InferOutput<typeof pagesSchema>;
  /** Such as `broken-link guides/a.mdx:3`, sorted. */
  readonly found: readonly string[];
  readonly commits: Commits;
  readonly requests: readonly SeenRequest[];
  /** The comments and labels on the pull request in the end. */
  readonly comments: readonly ThreadComment[];
  readonly labels: readonly string[];
}

/**
 * Runs the check bundle as a step on a pull request of a repository in memory.
 * @throws when the step wrote an output that action.yml does not declare
 */
export async function judge(run: CheckRun): Promise<CheckResult> {
  const { pull = {}, reports, comments = [], faults = [], isPrivate = false } = run;
  const { store, commits } = build(run);
  const identities = new Map([[githubToken, { login: 'github-actions[bot]', isApp: true }]]);
  const standIn = await startStandIn({
    repositories: [
      {
        name: repository,
        store,
        pulls: [{ number, ...pull, base: commits.base, head: commits.head }],
        isPrivate,
      },
    ],
    identities,
    faults: typeof faults === 'function' ? faults(commits) : faults,
    serverUrl,
    ...(run.latencyMs === undefined ? {} : { latencyMs: run.latencyMs }),
    ...(run.maxTextBytes === undefined ? {} : { maxTextBytes: run.maxTextBytes }),
  });
  try {
    prepare(standIn, reports?.(commits) ?? {}, comments);
    return read(await runOn(standIn, run), standIn, commits);
  } finally {
    await standIn.close();
  }
}

/** The repository as the stand-in serves it, with the branch of the pull request. */
function build({ before, after, earlier = [], base }: CheckRun) {
  const store = memoryStore();
  const shas: string[] = [];
  for (const files of [...earlier, before]) {
    shas.push(store.add({ files, parents: shas.slice(-1), message: 'Edit the docs' }));
  }
  const mergeBase = shas.at(-1) ?? '';
  const tip =
    base === undefined
      ? mergeBase
      : store.add({ files: base, parents: [mergeBase], message: 'Go on' });
  const head = store.add({ files: after, parents: [mergeBase], message: 'Change the docs' });
  store.setBranch('main', tip);
  return { store, commits: { mergeBase, base: tip, head } };
}

function prepare(
  standIn: StandIn,
  { checkRuns = [], deployments = [] }: Partial<CommitReports>,
  comments: readonly Pick<ThreadComment, 'login' | 'body'>[],
): void {
  standIn.checkRuns.push(...checkRuns);
  standIn.deployments.push(...deployments);
  standIn.comments.push(
    ...comments.map((comment, index) => ({ id: 100 + index, repository, number, ...comment })),
  );
}

function runOn(standIn: StandIn, run: CheckRun): Promise<StepResult> {
  const { eventName = 'workflow_dispatch', inputs = {}, env } = run;
  const { event, nodeArguments, cancel, onLine } = run;
  return runAction('check', {
    context: {
      serverUrl,
      apiUrl: standIn.url,
      repository,
      actor: 'maintainer',
      eventName,
      token: githubToken,
    },
    ...(event === undefined ? {} : { event }),
    ...(nodeArguments === undefined ? {} : { nodeArguments }),
    ...(cancel === undefined ? {} : { cancel }),
    ...(onLine === undefined ? {} : { onLine }),
    inputs: {
      ...(event === undefined && { 'pr-link': `${serverUrl}/${repository}/pull/${number}` }),
      ...inputs,
    },
    env: env ?? {},
  });
}

function read(result: StepResult, standIn: StandIn, commits: Commits): CheckResult {
  const { outputs } = result;
  const parsed = (name: string): unknown => JSON.parse(outputs[name] || '[]');
  const findings = v.parse(findingsSchema, parsed('findings'));
  return {
    ...result,
    verdict: outputs['verdict'] ?? '',
    findings,
    pages: v.parse(pagesSchema, parsed('pages')),
    found: findings
      .map(({ rule, file, line }) => `${rule} ${file}${line === null ? '' : `:${line}`}`)
      .toSorted(),
    commits,
    requests: standIn.requests,
    comments: standIn.comments,
    labels: standIn.labels.get(`${repository}#${number}`) ?? [],
  };
}

/** Adds a docs.json whose navigation has all pages of `files`, except snippets. */
export function withNavigation(
  files: MemoryFiles,
  settings: Readonly<Record<string, unknown>> = {},
): MemoryFiles {
  const pages = Object.keys(files)
    .filter((path) => /\.mdx?$/.test(path) && !path.startsWith('snippets/'))
    .map((path) => path.replace(/\.mdx?$/, ''));
  const docs = { name: 'Acme', navigation: { pages }, ...settings };
  return { 'docs.json': `${JSON.stringify(docs, null, 2)}\n`, ...files };
}
