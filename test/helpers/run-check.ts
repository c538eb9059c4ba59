import * as v from 'valibot';
import type { Fault } from '../../sandbox/github/faults.ts';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { type GitHub, type SeenRequest, startGitHub } from '../../sandbox/github/github.ts';
import { addPull, type Comment, type DeclaredPull } from '../../sandbox/github/state.ts';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type ActionStep, runAction } from './run-action.ts';
import { githubToken } from './servers.ts';

const serverUrl = 'https://github.example';
const repository = 'acme/docs';
const number = 12;

export interface CheckRun extends Partial<Omit<ActionStep, 'context' | 'files'>> {
  /** Files of the repository where the pull request's branch begins, by path. */
  readonly before: Files;
  /** Its files as the pull request would have them. */
  readonly after: Files;
  /** States of the repository before that, oldest first; each is a commit. */
  readonly earlier?: readonly Files[];
  /** The base branch, if it has moved on since. */
  readonly base?: Files;
  readonly pull?: Partial<DeclaredPull>;
  /** What apps report on the commits of `acme/docs`. */
  readonly reports?: (commits: Commits) => Reports;
  readonly comments?: readonly Pick<Comment, 'login' | 'body'>[];
  readonly isPrivate?: boolean;
  readonly faults?: readonly Fault[] | ((commits: Commits) => readonly Fault[]);
  readonly latencyMs?: number;
  readonly maxTextBytes?: number;
  /** `workflow_dispatch` by default, so the pull request is named by input `pr-link`. */
  readonly eventName?: string;
}

/** What apps report on commits. */
type Reports = Partial<Pick<GitHub, 'checkRuns' | 'deployments'>>;

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
  readonly comments: readonly Comment[];
  readonly labels: readonly string[];
}

/**
 * Runs the check bundle as a step on a pull request of a repository in memory.
 * @throws when the step wrote an output that action.yml does not declare
 */
export async function judge(run: CheckRun): Promise<CheckResult> {
  const { pull = {}, reports, comments = [], faults = [], isPrivate = false } = run;
  const { git, commits } = build(run);
  const identities = new Map([[githubToken, { login: 'github-actions[bot]', isApp: true }]]);
  const github = await startGitHub({
    repositories: [{ name: repository, git, isPrivate }],
    identities,
    faults: typeof faults === 'function' ? faults(commits) : faults,
    serverUrl,
    ...(run.latencyMs === undefined ? {} : { latencyMs: run.latencyMs }),
    ...(run.maxTextBytes === undefined ? {} : { maxTextBytes: run.maxTextBytes }),
  });
  try {
    addPull(github, repository, { number, ...pull, base: commits.base, head: commits.head });
    prepare(github, reports?.(commits) ?? {}, comments);
    return read(await runOn(github, run), github, commits);
  } finally {
    await github.close();
  }
}

/** The repository as the stand-in serves it, with the branch of the pull request. */
function build({ before, after, earlier = [], base }: CheckRun) {
  const git = createRepository();
  const shas: string[] = [];
  for (const files of [...earlier, before]) {
    shas.push(git.commit({ files, parents: shas.slice(-1), message: 'Edit the docs' }));
  }
  const mergeBase = shas.at(-1) ?? '';
  const tip =
    base === undefined
      ? mergeBase
      : git.commit({ files: base, parents: [mergeBase], message: 'Go on' });
  const head = git.commit({ files: after, parents: [mergeBase], message: 'Change the docs' });
  git.setRef('refs/heads/main', tip);
  return { git, commits: { mergeBase, base: tip, head } };
}

function prepare(
  github: GitHub,
  { checkRuns = [], deployments = [] }: Reports,
  comments: readonly Pick<Comment, 'login' | 'body'>[],
): void {
  github.checkRuns.push(...checkRuns);
  github.deployments.push(...deployments);
  github.comments.push(
    ...comments.map((comment, index) => ({ id: 100 + index, repository, number, ...comment })),
  );
}

function runOn(github: GitHub, run: CheckRun): Promise<StepResult> {
  const { eventName = 'workflow_dispatch', inputs = {}, env } = run;
  const { event, nodeArguments, cancel, onLine } = run;
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

function read(result: StepResult, github: GitHub, commits: Commits): CheckResult {
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
    requests: github.requests,
    comments: github.comments,
    labels: github.threads[0]?.labels ?? [],
  };
}

/** Adds a docs.json whose navigation has all pages of `files`, except snippets. */
export function withNavigation(
  files: Files,
  settings: Readonly<Record<string, unknown>> = {},
): Files {
  const pages = Object.keys(files)
    .filter((path) => /\.mdx?$/.test(path) && !path.startsWith('snippets/'))
    .map((path) => path.replace(/\.mdx?$/, ''));
  const docs = { name: 'Acme', navigation: { pages }, ...settings };
  return { 'docs.json': `${JSON.stringify(docs, null, 2)}\n`, ...files };
}
