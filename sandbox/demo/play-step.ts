import { githubClient } from '../github/client.ts';
import { type Person, PRODUCT_REPOSITORY } from '../github/seed.ts';
import type { StepResult } from '../runner/runner.ts';
import type { Sandbox } from '../sandbox.ts';
import { styled } from '../terminal.ts';
import { watchComments } from './comment-watch.ts';
import { type Bundle, runScene, type Screen } from './scenes.ts';

/** The label that starts the step: on which issue, set in whose name. */
export interface Labeling {
  readonly event: unknown;
  readonly issue: number;
  readonly login: Person;
}

const PROMPT = `{{event.issue.title}}, in quickstart.mdx. The issue says:

{{event.issue.body}}`;

/** Runs the action as the label's workflow would, and shows its log and the issue as they change. */
export async function playStep(
  bundle: Bundle,
  sandbox: Sandbox,
  { event, issue, login }: Labeling,
  screen: Screen,
): Promise<StepResult> {
  const reader = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
  let comment: string | undefined;
  const endWatching = watchComments(reader, PRODUCT_REPOSITORY, issue, ({ user, body }) => {
    comment = body;
    screen.print(styled('magenta', quote(user.login, body)));
  });
  const scene = {
    title: 'The step runs; its log, and the comment on the issue:',
    eventName: 'issues',
    actor: login,
    event,
    inputs: { prompt: PROMPT, 'poll-interval-seconds': '1' },
  };
  const result = await runScene(bundle, scene, sandbox, screen).finally(endWatching);
  if (comment !== undefined) {
    screen.exhibit({ title: `Comment on issue #${issue}`, markdown: comment });
  }
  return result;
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
