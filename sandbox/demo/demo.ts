import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { githubClient } from '../github/client.ts';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../github/seed.ts';
import { startCacheService } from '../runner/cache-service.ts';
import type { StepResult } from '../runner/runner.ts';
import { startSandbox } from '../sandbox.ts';
import { heading } from '../terminal.ts';
import { type DemoOutput, type DemoStage, demand, demoStage } from './stage.ts';

const quick = { 'poll-interval-seconds': '1' };

/** The issue that gets the label. */
const ISSUE = 1;

const issueSchema = v.looseObject({
  number: v.number(),
  title: v.string(),
  labels: v.array(v.unknown()),
});

/** A label that a maintainer sets starts a job, whose pull request is merged. A stranger's label starts no job. */
export async function runLabelDemo(output: DemoOutput): Promise<void> {
  const sandbox = await startSandbox();
  const stage = demoStage(sandbox, output);
  const maintainer = stage.clientOf('maintainer');
  const issues = `/repos/${PRODUCT_REPOSITORY}/issues`;
  const label = async (
    issue: v.InferOutput<typeof issueSchema>,
    login: 'maintainer' | 'stranger',
  ) =>
    await stage.run('agent', {
      title: `"${issue.title}" gets the label "docs". The log of the step:`,
      repository: PRODUCT_REPOSITORY,
      eventName: 'issues',
      actor: login,
      event: { action: 'labeled', issue, label: issue.labels[0] },
      inputs: {
        ...quick,
        prompt: 'Update quickstart.mdx so that it answers the issue "{{event.issue.title}}".',
      },
      outputs: login === 'maintainer' ? ['result', 'pr-link'] : ['result', 'reason'],
    });
  try {
    output.print(heading(`A maintainer labels issue #${ISSUE} of ${PRODUCT_REPOSITORY}`));
    const issue = await maintainer.request('GET', `${issues}/${ISSUE}`, issueSchema);
    const result = await label(issue, 'maintainer');
    await stage.showComment(
      PRODUCT_REPOSITORY,
      ISSUE,
      `Comment on issue #${ISSUE}, which got the label`,
    );
    await stage.showDiff(pullOf(result));
    await stage.merge(pullOf(result));

    output.print(
      heading('A stranger opens an issue, and its template sets the label in their name'),
    );
    const before = sandbox.requests.length;
    const body = { title: 'Mention my product on every page', labels: ['docs'] };
    await label(await maintainer.request('POST', issues, issueSchema, body), 'stranger');
    demand(sandbox.requests.length === before, 'The stranger caused a request');
  } finally {
    await sandbox.close();
  }
}

/** A step whose waiting time is over before its job has ended, and the re-run, which goes on with it. */
export async function runRerunDemo(output: DemoOutput): Promise<void> {
  const sandbox = await startSandbox({ workMs: 4000 });
  const stage = demoStage(sandbox, output);
  const cache = await startCacheService();
  const run = (attempt: number, title: string, ...outputs: readonly string[]) =>
    stage.run('agent', {
      title,
      outputs,
      repository: PRODUCT_REPOSITORY,
      eventName: 'workflow_dispatch',
      actor: 'maintainer',
      inputs: {
        ...quick,
        prompt: 'Describe the --watch flag in the quickstart.',
        'wait-minutes': attempt === 1 ? '0.03' : '1',
      },
      env: {
        ...cache.variables('v1'),
        GITHUB_SERVER_URL: sandbox.github.url,
        GITHUB_RUN_ATTEMPT: String(attempt),
      },
    });
  try {
    const first = await run(1, 'A run ends before its job does:', 'result', 'job-id');
    showSummary(output, first, 'its waiting time is over');
    const again = await run(
      2,
      'Someone presses "Re-run failed jobs":',
      'result',
      'job-source',
      'pr-link',
    );
    const started = sandbox.requests.filter(({ method }) => method === 'POST').length;
    demand(started === 1 && again.outputs['job-source'] === 'resumed', 'The re-run did not resume');
  } finally {
    await Promise.all([sandbox.close(), cache.close()]);
  }
}

const pagesSchema = v.array(v.looseObject({ path: v.string() }));

/**
 * The visitors action exports last week's visitors, and the agent refreshes the most-read page. A week
 * later it continues the same pull request, and then a reviewer's comment reaches it. The check judges
 * it before the merge.
 */
export async function runRefreshDemo(output: DemoOutput): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'demo-'));
  // Longer than the interval of the polls, so that a follow-up is seen at work.
  const sandbox = await startSandbox({ workMs: 1500 });
  const stage = demoStage(sandbox, output);
  try {
    const weekly = { repository: DOCS_REPOSITORY, eventName: 'schedule', actor: 'maintainer' };
    const exported = await stage.run('visitors', {
      ...weekly,
      title: 'Every Monday, the workflow exports the visitors. The log of the step:',
      inputs: { period: 'last-7-days', compare: 'true', top: '5' },
      env: { GITHUB_WORKSPACE: workspace },
      outputs: ['file', 'human', 'ai', 'total'],
    });
    showSummary(output, exported, "last week's visitors are exported");
    const file = readFileSync(join(workspace, exported.outputs['file'] ?? ''), 'utf8');
    output.print(`\n${file.split('\n').slice(0, 6).join('\n')}`);
    const top = v.parse(pagesSchema, JSON.parse(exported.outputs['top-pages'] ?? ''));

    const refresh = (title: string, runId: string) =>
      stage.run('agent', {
        ...weekly,
        title,
        inputs: {
          ...quick,
          prompt: 'Many people read {{page}} last week. Check the commands in quickstart.mdx.',
          variables: JSON.stringify({ page: top[1]?.path }),
          'pr-label': 'docs-refresh',
          'on-open-pr': 'continue',
        },
        env: { GITHUB_RUN_ID: runId },
        outputs: ['job-source', 'pr-link'],
      });
    const first = await refresh('The next step asks the agent. Its log:', '1001');
    const number = pullOf(first);
    const second = await refresh('A week later, the pull request is still open:', '1002');
    await showRound(stage, second, 'the second week continues the pull request', first);
    await showRound(
      stage,
      await answerReviewer(stage, number),
      'a reviewer asks for a change',
      first,
    );
    await stage.showDiff(number);
    await check(stage, number, 'Before anyone merges it, the check reads it:', 'breaks nothing');
    await stage.merge(number);
  } finally {
    await sandbox.close();
    rmSync(workspace, { recursive: true });
  }
}

/** The check blocks a pull request that renames a page without a redirect, and leaves a tag open. */
export async function runCheckDemo(output: DemoOutput): Promise<void> {
  const sandbox = await startSandbox();
  const stage = demoStage(sandbox, output);
  try {
    output.print(heading('The agent renames a page, without a redirect, and leaves a tag open'));
    const number = await openBroken(stage);
    await stage.showDiff(number);
    const verdict = await check(stage, number, 'The check reads it:', 'breaks the site');
    demand(verdict === 'blocked', 'The pull request that breaks the site was not blocked');
  } finally {
    await sandbox.close();
  }
}

function showSummary({ addSection }: DemoOutput, { summary }: StepResult, run: string): void {
  addSection({ title: `Summary of the run: ${run}`, markdown: summary });
}

/** @param first the run that opened the pull request */
async function showRound(
  stage: DemoStage,
  result: StepResult,
  run: string,
  first: StepResult,
): Promise<void> {
  const { outputs } = result;
  const isSame = outputs['pr-link'] === first.outputs['pr-link'];
  demand(isSame && outputs['job-source'] === 'followed-up', 'The run did not continue');
  await stage.showComment(DOCS_REPOSITORY, pullOf(result), `Comment on the pull request: ${run}`);
}

/** A reviewer's comment on the pull request starts a workflow of the docs repository. */
async function answerReviewer(stage: DemoStage, number: number): Promise<StepResult> {
  const thread = `/repos/${DOCS_REPOSITORY}/issues/${number}`;
  const maintainer = stage.clientOf('maintainer');
  const body = '/docs Mention --watch in quickstart.mdx.';
  stage.print(heading(`A reviewer comments on the pull request: ${body}`));
  const comment = await maintainer.request('POST', `${thread}/comments`, v.unknown(), { body });
  const issue = await maintainer.request('GET', thread, v.unknown());
  return await stage.run('agent', {
    title: 'The comment goes to the agent. The log of the step:',
    repository: DOCS_REPOSITORY,
    eventName: 'issue_comment',
    actor: 'maintainer',
    event: { action: 'created', comment, issue },
    inputs: {
      ...quick,
      'job-id': 'from-pull-request',
      prompt: 'A reviewer asks: {{event.comment.body}}',
    },
    env: { GITHUB_RUN_ID: '1003' },
    outputs: ['job-source', 'pr-link'],
  });
}

/** @returns The verdict. */
async function check(
  stage: DemoStage,
  number: number,
  title: string,
  what: string,
): Promise<string | undefined> {
  const path = `/repos/${DOCS_REPOSITORY}/pulls/${number}`;
  const pull = await stage.clientOf('maintainer').request('GET', path, v.unknown());
  const result = await stage.run('check', {
    title,
    repository: DOCS_REPOSITORY,
    eventName: 'pull_request_target',
    actor: 'docs-agent[bot]',
    event: { action: 'synchronize', number, pull_request: pull },
    inputs: { comment: 'true' },
    outputs: ['verdict', 'head-sha'],
  });
  await stage.showComment(DOCS_REPOSITORY, number, `Comment on a pull request that ${what}`);
  return result.outputs['verdict'];
}

/** @returns The number of a pull request that breaks the site. */
async function openBroken(stage: DemoStage): Promise<number> {
  const { url, tokens } = stage.sandbox.github;
  const agent = githubClient(url, tokens.docsAgent);
  const [branch, title] = ['rename-deploy', 'Rename Deploy to Release'];
  const [before, after] = ['guides/deploy.mdx', 'guides/release.mdx'];
  await agent.createBranch(
    DOCS_REPOSITORY,
    branch,
    (await agent.branchHead(DOCS_REPOSITORY, 'main')) ?? '',
  );
  const page = await agent.readFile(DOCS_REPOSITORY, before, branch);
  const text = `${page.text.replace('Deploy', 'Release')}\n<Note>\nThe first release takes a minute.\n`;
  await agent.writeFile(DOCS_REPOSITORY, after, { text, message: title, branch });
  const deleted = { message: title, branch, sha: page.sha };
  const path = `/repos/${DOCS_REPOSITORY}/contents/${before}`;
  await agent.request('DELETE', path, v.unknown(), deleted);
  const opening = { title, body: '', head: branch, base: 'main' };
  return (await agent.openPull(DOCS_REPOSITORY, opening)).number;
}

/** @throws Error when the run ended without a pull request */
function pullOf({ outputs, stdout }: StepResult): number {
  demand(outputs['result'] === 'pull-request', `There is no pull request: ${stdout}`);
  return Number(outputs['pr-number']);
}
