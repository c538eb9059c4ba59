import * as v from 'valibot';
import { githubClient } from '../github/client.ts';
import { DOCS_REPOSITORY } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import type { Sandbox } from '../sandbox.ts';
import { heading, plainComment, styled } from '../terminal.ts';
import { type Bundle, DemoError, type DemoOutput, type DemoStep, runDemoStep } from './steps.ts';

/** With these, the next run continues the pull request that is still open. */
export const openPullRequestInputs = {
  'pr-label': 'docs-refresh',
  'on-open-pr': 'continue',
  'docs-repository': DOCS_REPOSITORY,
};

const REMARK = '/docs Mention --watch in quickstart.mdx.';

/** Runs the step of the first week once more. @param link of the pull request, which is still open */
export async function runNextWeek(
  agent: Bundle,
  step: DemoStep,
  link: string,
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<void> {
  const title = 'A week later, the pull request is still open. The log of the step:';
  const result = await runDemoStep(
    agent,
    { ...step, title, env: { GITHUB_RUN_ID: '1002' } },
    sandbox,
    output,
  );
  await showRound(result, 'the second week continues the pull request', link, sandbox, output);
}

/** A reviewer's comment on the pull request starts a workflow of the docs repository. */
export async function answerReviewer(
  agent: Bundle,
  link: string,
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<void> {
  output.print(heading('A reviewer comments on the pull request'));
  output.print(REMARK);
  const result = await runDemoStep(
    agent,
    {
      title: 'The comment goes to the agent. The log of the step:',
      repository: DOCS_REPOSITORY,
      eventName: 'issue_comment',
      actor: 'maintainer',
      event: await commentOn(link, sandbox),
      inputs: {
        'job-id': 'from-pull-request',
        prompt:
          'Change the pull request {{event.issue.pull_request.html_url}}: {{event.comment.body}}',
        'poll-interval-seconds': '1',
      },
      env: { GITHUB_RUN_ID: '1003' },
    },
    sandbox,
    output,
  );
  await showRound(result, 'a reviewer asks for a change', link, sandbox, output);
}

const issueSchema = v.looseObject({ number: v.number() });

/** The event with its payload, as GitHub would send it. */
async function commentOn(link: string, { github }: Sandbox): Promise<unknown> {
  const maintainer = githubClient(github.url, github.tokens.maintainer);
  const path = `/repos/${DOCS_REPOSITORY}`;
  const thread = `${path}/issues/${numberOf(link)}`;
  return {
    action: 'created',
    comment: await maintainer.request('POST', `${thread}/comments`, v.unknown(), { body: REMARK }),
    issue: await maintainer.request('GET', thread, issueSchema),
    repository: await maintainer.request('GET', path, v.unknown()),
    sender: await maintainer.request('GET', '/user', v.unknown()),
  };
}

/** @throws {DemoError} When the run did not continue the pull request. */
async function showRound(
  { outputs, summary }: StepResult,
  run: string,
  link: string,
  { github }: Sandbox,
  { print, addSection }: DemoOutput,
): Promise<void> {
  print(`job-source=${outputs['job-source']}, pr-link=${outputs['pr-link']}`);
  if (outputs['job-source'] !== 'followed-up' || outputs['pr-link'] !== link) {
    throw new DemoError('The run did not continue the pull request');
  }
  const maintainer = githubClient(github.url, github.tokens.maintainer);
  const comments = await maintainer.listComments(DOCS_REPOSITORY, numberOf(link));
  const latest = comments.at(-1);
  if (latest !== undefined) {
    print(heading('The comment on the pull request:'));
    print(styled('magenta', plainComment(latest.user.login, withoutDetails(latest.body))));
    addSection({ title: `Comment on the pull request: ${run}`, markdown: latest.body });
  }
  addSection({ title: `Summary of the run: ${run}`, markdown: summary });
}

/** The summaries above show the details already. */
function withoutDetails(body: string): string {
  return body.replace(/<details><summary>Details<\/summary>[\s\S]*?<\/details>/, '');
}

function numberOf(link: string): number {
  return Number(link.split('/').at(-1));
}
