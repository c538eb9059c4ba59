import { type Action, bundleOf } from '../../scripts/actions.ts';
import { fenced } from '../../src/text/markdown.ts';
import { type GitHubClient, githubClient } from '../github/client.ts';
import { complete, type Payload } from '../github/event.ts';
import { DOCS_REPOSITORY, type Person } from '../github/seed.ts';
import { runStep, type Step, type StepResult } from '../runner/runner.ts';
import { logView } from '../runner/workflow-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import { heading, plainComment, renderLine, renderPatch, styled } from '../terminal.ts';
import type { Section } from './page.ts';

/** The output of a demo. */
export interface DemoOutput {
  /** Prints to the terminal. */
  readonly print: (text: string) => void;
  /** Adds a comment, a summary or a diff to the HTML page. */
  readonly addSection: (section: Section) => void;
}

/** A step of the demo's workflow. The inputs lack the address, the project and the key. */
interface DemoStep extends Pick<Step, 'env'> {
  /** What the event carries, beside what every event does. */
  readonly event?: Payload;
  /** Printed above the log. */
  readonly title: string;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
  readonly eventName: string;
  /** The login of who triggered the run. */
  readonly actor: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The names of the outputs that are printed below the log. */
  readonly outputs: readonly string[];
}

/** Runs the steps of a demo against a sandbox, and shows what they leave. */
export interface DemoStage extends DemoOutput {
  readonly sandbox: Sandbox;
  clientOf(login: Person): GitHubClient;
  /** Runs an action as a step of a workflow, and prints its log and some of its outputs. */
  run(action: Action, step: DemoStep): Promise<StepResult>;
  /** Shows the newest comment of a thread. @param title of its section */
  showComment(repository: string, number: number, title: string): Promise<void>;
  /** Shows the changes of a pull request of the docs. @throws Error if nothing changed */
  showDiff(number: number): Promise<void>;
  /** Merges a pull request of the docs. */
  merge(number: number): Promise<void>;
}

export function demoStage(sandbox: Sandbox, output: DemoOutput): DemoStage {
  const { print, addSection } = output;
  const { url, apiKey, projectId, github } = sandbox;
  const clientOf = (login: Person) => githubClient(github.url, github.tokens[login]);
  const maintainer = clientOf('maintainer');
  return {
    ...output,
    sandbox,
    clientOf,
    async run(action, { title, repository, eventName, actor, inputs, outputs, event, env }) {
      print(heading(title));
      const view = logView();
      const result = await runStep({
        ...bundleOf(action),
        inputs: { ...inputs, 'api-key': apiKey, 'project-id': projectId, 'base-url': url },
        context: {
          serverUrl: github.url,
          repository,
          actor,
          eventName,
          token: github.tokens.actions,
        },
        ...(env && { env }),
        ...(event && { event: complete(event, github, { login: actor, repository }) }),
        onLine: (line) => {
          for (const shown of view(line)) print(renderLine(shown));
        },
      });
      print(heading('Some of its outputs:'));
      for (const name of outputs) {
        print(`${styled('cyan', name)}=${result.outputs[name] ?? ''}`);
      }
      return result;
    },
    async showComment(repository, number, title) {
      const comment = (await maintainer.listComments(repository, number)).at(-1);
      if (comment !== undefined) {
        print(heading(`The comment on ${repository}#${number}:`));
        print(styled('magenta', plainComment(comment.user.login, comment.body)));
        addSection({ title, markdown: comment.body });
      }
    },
    async showDiff(number) {
      const { title, base, head } = await maintainer.getPull(DOCS_REPOSITORY, number);
      const { files } = await maintainer.compare(DOCS_REPOSITORY, base.ref, head.ref);
      demand(files.length > 0, 'The pull request changes no file');
      print(heading(`The changes of ${DOCS_REPOSITORY}#${number}, "${title}":`));
      for (const { filename, patch = '' } of files) {
        print(`${styled('bold', filename)}\n${renderPatch(patch)}`);
      }
      const patches = files.map(
        ({ filename, patch = '' }) => `\`${filename}\`\n\n${fenced('diff', [patch])}`,
      );
      addSection({
        title: `Changes of ${DOCS_REPOSITORY}#${number}: ${title}`,
        markdown: patches.join('\n\n'),
      });
    },
    async merge(number) {
      print(heading('A maintainer reviews the pull request, and merges it:'));
      await maintainer.mergePull(DOCS_REPOSITORY, number);
      print('It is merged.');
    },
  };
}

/** @throws Error when the demo did not go as expected */
export function demand(isGood: boolean, otherwise: string): void {
  if (!isGood) {
    throw new Error(otherwise);
  }
}
