import * as v from 'valibot';
import type { Fault } from '../../sandbox/github/faults.ts';
import { createRepository, type Files } from '../../sandbox/github/git.ts';
import { type GitHub, type SeenRequest, startGitHub } from '../../sandbox/github/github.ts';
import { addPull, type Comment } from '../../sandbox/github/state.ts';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type ActionStep, runAction } from './run-action.ts';
import { githubToken } from './servers.ts';

const serverUrl = 'https://github.example';
const repository = 'acme/docs';
const number = 12;

export interface CheckRun extends Pick<ActionStep, 'cancel' | 'env' | 'event' | 'inputs'> {
  /** Files of the repository where the pull request's branch begins, by path. */
  readonly before: Files;
  /** Its files as the pull request would have them. */
  readonly after: Files;
  readonly checkRuns?: readonly Omit<GitHub['checkRuns'][number], 'repository' | 'sha'>[];
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
  const { comments = [], checkRuns = [], faults = [] } = run;
  const { git, head, mergeBase } = commitPull(run);
  const identities = new Map([[githubToken, { login: 'github-actions[bot]', isApp: true }]]);
  const repositories = [{ name: repository, git }];
  const github = await startGitHub({ repositories, identities, faults, serverUrl });
  try {
    addPull(github, repository, { number, base: mergeBase, head });
    github.checkRuns.push(...checkRuns.map((one) => ({ ...one, repository, sha: head })));
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
