import type { GitHubClient } from '../github/client.ts';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../github/seed.ts';
import { runStep, type Step, type StepResult } from '../runner/runner.ts';
import { logView } from '../runner/workflow-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import { heading, renderLine, renderPatch, styled } from '../terminal.ts';
import type { Section } from './page.ts';

/** The demo did not go as expected. */
export class DemoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoError';
  }
}

/** The output of a demo. */
export interface DemoOutput {
  /** Prints to the terminal. */
  readonly print: (text: string) => void;
  /** Adds a comment or a summary to the HTML page. */
  readonly addSection: (section: Section) => void;
}

/** Paths of an action's bundle and of its `action.yml`. */
export interface Bundle {
  readonly entry: string;
  readonly actionFile: string;
}

/** A step of the demo's workflow. The inputs lack the address, the project and the key. */
export type DemoStep = Required<Pick<Step, 'inputs'>> &
  Pick<Step, 'event' | 'env'> & {
    /** Printed above the log. */
    readonly title: string;
    readonly eventName: string;
    /** The login of the person who triggered the run. */
    readonly actor: string;
    /** `owner/name` of the workflow's repository; the product by default. */
    readonly repository?: string;
  };

/** Runs an action as a step of a workflow, and prints its log. */
export async function runDemoStep(
  { entry, actionFile }: Bundle,
  { title, eventName, actor, repository = PRODUCT_REPOSITORY, inputs, ...step }: DemoStep,
  { url, apiKey, projectId, github }: Sandbox,
  { print }: DemoOutput,
): Promise<StepResult> {
  print(heading(title));
  const view = logView();
  return await runStep({
    entry,
    actionFile,
    inputs: { ...inputs, 'api-key': apiKey, 'project-id': projectId, 'base-url': url },
    context: {
      serverUrl: github.url,
      repository,
      actor,
      eventName,
      token: github.tokens.actions,
    },
    ...step,
    onLine: (line) => {
      for (const shown of view(line)) print(renderLine(shown));
    },
  });
}

/**
 * Prints the outputs and the summary of a step.
 *
 * @param run What the run did, such as `last week's visitors`.
 * @throws {DemoError} When the step failed.
 */
export function showResult(
  { outputs, summary, exitCode, signal }: StepResult,
  run: string,
  { print, addSection }: DemoOutput,
): void {
  print(heading('Its outputs:'));
  for (const [name, value] of Object.entries(outputs)) {
    print(`${styled('cyan', name)}=${value}`);
  }
  print(heading('Its summary:'));
  print(summary.trim());
  addSection({ title: `Summary of the run: ${run}`, markdown: summary });
  if (exitCode !== 0) {
    throw new DemoError(`The step ended with ${exitCode ?? signal}`);
  }
}

/**
 * The next step of the workflow, which gets the link as an output: shows the pull request, and merges
 * it.
 *
 * @throws {DemoError} When the pull request changes no file, or the change is not on the base branch
 *   after the merge.
 */
export async function mergePullRequest(
  maintainer: GitHubClient,
  { github }: Sandbox,
  link: string,
  { print }: DemoOutput,
): Promise<void> {
  const [, number] = new RegExp(`^${github.url}/${DOCS_REPOSITORY}/pull/(\\d+)$`).exec(link) ?? [];
  if (number === undefined) {
    throw new DemoError(`pr-link is "${link}", which is not a pull request of ${DOCS_REPOSITORY}`);
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
      throw new DemoError(`${filename} on ${pull.base.ref} does not have the change`);
    }
    print(`${filename} on ${pull.base.ref} has the change.`);
  }
  if (files.length === 0) {
    throw new DemoError('The pull request changes no file');
  }
}
