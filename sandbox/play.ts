import * as v from 'valibot';
import { type GitHubClient, githubClient } from './github-client.ts';
import { PRODUCT_REPOSITORY } from './github-seed.ts';
import { startSandbox } from './sandbox.ts';
import { type Bundle, mergePullRequest, type Print, showStep } from './scenes.ts';
import { heading, styled } from './terminal.ts';

export interface DemoOptions extends Bundle {
  readonly print: Print;
  /** How long the agent works, in milliseconds. */
  readonly workMs?: number;
}

/** The issue that gets the label. */
const ISSUE = 1;

const PROMPT = `{{event.issue.title}}, in quickstart.mdx. The issue says:

{{event.issue.body}}`;

/**
 * Plays one workflow run from the label on an issue to the merged pull request: everything real
 * but the service, the code host and the agent's wits.
 *
 * @throws {DemoFailed}
 */
export async function playDemo(options: DemoOptions): Promise<void> {
  const { print, workMs = 1000 } = options;
  const sandbox = await startSandbox({ workMs });
  try {
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    const event = await labelIssue(maintainer, print);
    const scene = {
      title: 'The step runs; its log:',
      eventName: 'issues',
      event,
      inputs: { prompt: PROMPT, 'poll-interval-seconds': '1' },
    };
    const { outputs } = await showStep(options, scene, sandbox, print);
    await mergePullRequest(maintainer, sandbox, outputs['pr-link'] ?? '', print);
    await showComments(maintainer, print);
  } finally {
    await sandbox.close();
  }
}

/** @returns The payload of the event that starts the workflow. */
async function labelIssue(maintainer: GitHubClient, print: Print) {
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${ISSUE}`;
  const schema = v.looseObject({ title: v.string(), labels: v.array(v.unknown()) });
  const issue = await maintainer.request('GET', path, schema);
  print(heading(`A maintainer labels issue #${ISSUE} of ${PRODUCT_REPOSITORY} "docs"`));
  print(issue.title);
  return {
    action: 'labeled',
    issue,
    label: issue.labels[0],
    repository: await maintainer.request('GET', `/repos/${PRODUCT_REPOSITORY}`, v.unknown()),
    sender: await maintainer.request('GET', '/user', v.unknown()),
  };
}

async function showComments(maintainer: GitHubClient, print: Print): Promise<void> {
  const comments = await maintainer.listComments(PRODUCT_REPOSITORY, ISSUE);
  print(heading(`What stands under issue #${ISSUE} now:`));
  for (const { user, body } of comments) {
    print(`${styled('cyan', user.login)}: ${body}`);
  }
  if (comments.length === 0) {
    print('(no comment)');
  }
}
