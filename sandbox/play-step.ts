import { watchComments } from './comment-watch.ts';
import { githubClient } from './github-client.ts';
import { type Person, PRODUCT_REPOSITORY } from './github-seed.ts';
import { runStep, type StepResult } from './runner.ts';
import type { Sandbox } from './sandbox.ts';
import { heading, renderLine, styled } from './terminal.ts';
import { logView } from './workflow-commands.ts';

export interface DemoOptions {
  /** Path of the bundle to run, and of the `action.yml` that names its inputs. */
  readonly entry: string;
  readonly actionFile: string;
  readonly print: (text: string) => void;
  /** How long the agent works, in milliseconds. */
  readonly workMs?: number;
}

/** The label that starts the step: on which issue, set in whose name. */
export interface Labeling {
  readonly event: unknown;
  readonly issue: number;
  readonly login: Person;
}

const PROMPT = `{{event.issue.title}}, in quickstart.mdx. The issue says:

{{event.issue.body}}`;

/** Runs the action as the workflow's step would, and shows its log and the issue as they change. */
export async function playStep(
  { entry, actionFile, print }: DemoOptions,
  { url, apiKey, projectId, github }: Sandbox,
  { event, issue, login }: Labeling,
): Promise<StepResult> {
  print(heading('The step runs; its log, and the comment on the issue:'));
  const view = logView();
  const reader = githubClient(github.url, github.tokens.maintainer);
  const endWatching = watchComments(reader, PRODUCT_REPOSITORY, issue, ({ user, body }) =>
    print(styled('magenta', quote(user.login, body))),
  );
  const running = runStep({
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
      actor: login,
      eventName: 'issues',
      token: github.tokens.actions,
    },
    event,
    onLine: (line) => {
      for (const shown of view(line)) print(renderLine(shown));
    },
  });
  return await running.finally(endWatching);
}

/** A comment as it stands in the terminal: without what GitHub hides, or its page would decode. */
function quote(login: string, body: string): string {
  const text = body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .trim();
  return [`┌ ${login}`, ...text.split('\n').map((line) => `│ ${line}`), '└'].join('\n');
}
