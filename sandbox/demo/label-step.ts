import { setTimeout } from 'node:timers/promises';
import { type Comment, type GitHubClient, githubClient } from '../github/client.ts';
import { type Person, PRODUCT_REPOSITORY } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import type { Sandbox } from '../sandbox.ts';
import { plainComment, styled } from '../terminal.ts';
import { type Bundle, type DemoOutput, runDemoStep } from './steps.ts';

/** The event: a person set a label on an issue. */
export interface Labeling {
  readonly event: unknown;
  readonly issue: number;
  readonly login: Person;
}

const PROMPT = `{{event.issue.title}}, in quickstart.mdx. The issue says:

{{event.issue.body}}`;

/** Runs the action for a label on an issue, and shows its log and its comment as they change. */
export async function runLabelStep(
  bundle: Bundle,
  sandbox: Sandbox,
  { event, issue, login }: Labeling,
  output: DemoOutput,
): Promise<StepResult> {
  const reader = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
  let comment: string | undefined;
  const stopWatching = watchComments(reader, issue, ({ user, body }) => {
    comment = body;
    output.print(styled('magenta', plainComment(user.login, body)));
  });
  const step = {
    title: 'The step runs. Its log, and the comment on the issue:',
    eventName: 'issues',
    actor: login,
    event,
    inputs: { prompt: PROMPT, 'poll-interval-seconds': '1' },
  };
  const result = await runDemoStep(bundle, step, sandbox, output).finally(stopWatching);
  if (comment !== undefined) {
    output.addSection({
      title: `Comment on issue #${issue}, which got the label`,
      markdown: comment,
    });
  }
  return result;
}

/** How often the comments are read. */
const REFRESH_MS = 100;

/**
 * Watches the comments on an issue of the product repository.
 *
 * @param onChange Called for each comment that is new or has changed.
 * @returns A function that reads the comments once more, and ends the watching.
 */
function watchComments(
  github: GitHubClient,
  issue: number,
  onChange: (comment: Comment) => void,
): () => Promise<void> {
  const stop = new AbortController();
  const shown: string[] = [];

  async function refresh(): Promise<void> {
    const comments = await github.listComments(PRODUCT_REPOSITORY, issue);
    for (const [index, comment] of comments.entries()) {
      if (shown[index] !== comment.body) {
        shown[index] = comment.body;
        onChange(comment);
      }
    }
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      await refresh();
      await setTimeout(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
    await refresh();
  }

  const watching = watch();
  return () => {
    stop.abort();
    return watching;
  };
}
