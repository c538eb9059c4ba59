import * as v from 'valibot';
import { type GitHubClient, githubClient } from './github-client.ts';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from './github-seed.ts';
import { runStep, type StepResult } from './runner.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { heading, renderLine, renderPatch, styled } from './terminal.ts';
import { logView } from './workflow-commands.ts';

/** Something did not go the way the demo promises. */
export class DemoFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoFailed';
  }
}

export interface DemoOptions {
  /** Path of the bundle to run, and of the `action.yml` that names its inputs. */
  readonly entry: string;
  readonly actionFile: string;
  readonly print: (text: string) => void;
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
    const { outputs } = await runAction(options, sandbox, event);
    await mergePullRequest(maintainer, sandbox, outputs['pr-link'] ?? '', print);
    await showComments(maintainer, print);
    print(styled('green', '\nThe demo went well.'));
  } finally {
    await sandbox.close();
  }
}

/** @returns The payload of the event that starts the workflow. */
async function labelIssue(maintainer: GitHubClient, print: DemoOptions['print']) {
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

async function runAction(
  { entry, actionFile, print }: DemoOptions,
  { url, apiKey, projectId, github }: Sandbox,
  event: unknown,
): Promise<StepResult> {
  print(heading('The step runs; its log:'));
  const view = logView();
  const result = await runStep({
    entry,
    actionFile,
    inputs: {
      prompt: PROMPT,
      'api-key': apiKey,
      'project-id': projectId,
      'base-url': url,
      'poll-interval-seconds': '1',
    },
    context: {
      serverUrl: github.url,
      repository: PRODUCT_REPOSITORY,
      actor: 'maintainer',
      eventName: 'issues',
      token: github.tokens.actions,
    },
    event,
    onLine: (line) => {
      for (const shown of view(line)) print(renderLine(shown));
    },
  });
  print(heading('Its outputs:'));
  for (const [name, value] of Object.entries(result.outputs)) {
    print(`${styled('cyan', name)}=${value}`);
  }
  print(heading('Its summary:'));
  print(result.summary.trim());
  if (result.exitCode !== 0) {
    throw new DemoFailed(`The step ended with ${result.exitCode ?? result.signal}`);
  }
  return result;
}

/** The next step of the workflow, which only knows the link. */
async function mergePullRequest(
  maintainer: GitHubClient,
  { github }: Sandbox,
  link: string,
  print: DemoOptions['print'],
): Promise<void> {
  const [, number] = new RegExp(`^${github.url}/${DOCS_REPOSITORY}/pull/(\\d+)$`).exec(link) ?? [];
  if (number === undefined) {
    throw new DemoFailed(`pr-link is "${link}", which is no pull request of ${DOCS_REPOSITORY}`);
  }
  const pull = await maintainer.getPull(DOCS_REPOSITORY, Number(number));
  const { files } = await maintainer.compare(DOCS_REPOSITORY, pull.base.ref, pull.head.ref);
  print(heading(`The next step reads pr-link: "${pull.title}"`));
  for (const { filename, patch = '' } of files) {
    print(`${styled('bold', filename)}\n${renderPatch(patch)}`);
  }

  print(heading('… and merges it'));
  await maintainer.mergePull(DOCS_REPOSITORY, pull.number);
  for (const { filename } of files) {
    const proposed = await maintainer.readFile(DOCS_REPOSITORY, filename, pull.head.ref);
    const published = await maintainer.readFile(DOCS_REPOSITORY, filename, pull.base.ref);
    if (published.text !== proposed.text) {
      throw new DemoFailed(`${filename} on ${pull.base.ref} is not what the pull request changed`);
    }
    print(`${filename} on ${pull.base.ref} has the change.`);
  }
  if (files.length === 0) {
    throw new DemoFailed('The pull request changes no file');
  }
}

async function showComments(maintainer: GitHubClient, print: DemoOptions['print']): Promise<void> {
  const comments = await maintainer.listComments(PRODUCT_REPOSITORY, ISSUE);
  print(heading(`What stands under issue #${ISSUE} now:`));
  for (const { user, body } of comments) {
    print(`${styled('cyan', user.login)}: ${body}`);
  }
  if (comments.length === 0) {
    print('(no comment)');
  }
}
