import type { GitHubClient } from '../github/client.ts';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../github/seed.ts';
import { runStep, type Step, type StepResult } from '../runner/runner.ts';
import { logView } from '../runner/workflow-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import { heading, renderLine, renderPatch, styled } from '../terminal.ts';
import type { Exhibit } from './page.ts';

/** Something did not go the way the demo promises. */
export class DemoFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DemoFailed';
  }
}

/** Where a demo shows what happens. */
export interface Screen {
  /** Prints to the terminal. */
  readonly print: (text: string) => void;
  /** Takes what GitHub would show to people. */
  readonly exhibit: (exhibit: Exhibit) => void;
}

/** Paths of a bundle, and of the `action.yml` that names its inputs. */
export interface Bundle {
  readonly entry: string;
  readonly actionFile: string;
}

/** What the workflow of a demo says about one step, beside the access to the service. */
export type Scene = Required<Pick<Step, 'inputs'>> &
  Pick<Step, 'event' | 'env'> & {
    /** Printed above the log. */
    readonly title: string;
    readonly eventName: string;
    /** Login of whoever started the run. */
    readonly actor: string;
  };

/** Runs an action as a step of a workflow in the product's repository, and shows its log. */
export async function runScene(
  { entry, actionFile }: Bundle,
  { title, eventName, actor, inputs, ...scene }: Scene,
  { url, apiKey, projectId, github }: Sandbox,
  { print }: Screen,
): Promise<StepResult> {
  print(heading(title));
  const view = logView();
  return await runStep({
    entry,
    actionFile,
    inputs: { ...inputs, 'api-key': apiKey, 'project-id': projectId, 'base-url': url },
    context: {
      serverUrl: github.url,
      repository: PRODUCT_REPOSITORY,
      actor,
      eventName,
      token: github.tokens.actions,
    },
    ...scene,
    onLine: (line) => {
      for (const shown of view(line)) print(renderLine(shown));
    },
  });
}

/**
 * Shows what a step left behind.
 *
 * @throws {DemoFailed} When the step failed.
 */
export function showEnd(
  { outputs, summary, exitCode, signal }: StepResult,
  { print, exhibit }: Screen,
): void {
  print(heading('Its outputs:'));
  for (const [name, value] of Object.entries(outputs)) {
    print(`${styled('cyan', name)}=${value}`);
  }
  print(heading('Its summary:'));
  print(summary.trim());
  exhibit({ title: 'Summary of the run', markdown: summary });
  if (exitCode !== 0) {
    throw new DemoFailed(`The step ended with ${exitCode ?? signal}`);
  }
}

/** Runs an action, shows its log and what it left behind; for steps that nothing else happens beside. */
export async function showStep(
  bundle: Bundle,
  scene: Scene,
  sandbox: Sandbox,
  screen: Screen,
): Promise<StepResult> {
  const result = await runScene(bundle, scene, sandbox, screen);
  showEnd(result, screen);
  return result;
}

/**
 * The next step of the workflow, which only knows the link: shows the pull request and merges it.
 *
 * @throws {DemoFailed} When it changes no file, or the merge does not bring the change.
 */
export async function mergePullRequest(
  maintainer: GitHubClient,
  { github }: Sandbox,
  link: string,
  { print }: Screen,
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
