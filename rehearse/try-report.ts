import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ISSUES, PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { readWords } from '../sandbox/service/words.ts';
import { heading } from '../sandbox/terminal.ts';
import { counted } from '../src/text/plain.ts';
import { commentsOn, promptsOf, pullsOf } from './findings.ts';
import type { Stage } from './stage.ts';

/** Lines of act's log that tell of act, and not of the workflow. */
const noise =
  /::set-output::|LocalRepositoryCache|⚙ {2}\*\*\*|valid docker connection|Cleaning up container/;

/** Prints a line of act's log, if it is about the workflow. */
export function showLine(line: string): void {
  if (!noise.test(line)) {
    console.log(line);
  }
}

/**
 * Waits until the agent has ended its work, which goes on when a step does not wait. Says so, since it
 * may take as long as a prompt asks for.
 */
export async function waitForAgent(stage: Stage, signal: AbortSignal): Promise<void> {
  const settled = stage.sandbox.settled().then(() => true);
  if (!(await Promise.race([settled, setImmediate(false)]))) {
    const wishesMs = promptsOf(stage).map((prompt) => readWords(prompt).workMs ?? 0);
    const longestSeconds = Math.max(...wishesMs) / 1000;
    const time = longestSeconds === 0 ? '' : `, which takes up to ${longestSeconds} s`;
    console.log(
      `The workflow has ended, and the agent is still at work. Waiting for what comes of it${time} …`,
    );
    await Promise.race([settled, aborted(signal)]);
  }
}

/** Never resolves. @throws The signal's reason. */
async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** What is there before a workflow runs, and did not come of it. */
export interface Before {
  readonly comments: number;
  /** Where comments are looked for, beside the seeded issues. */
  readonly pullRequest: number | undefined;
}

/** How many comments there are. */
export async function countComments(stage: Stage, pullRequest?: number): Promise<number> {
  return (await allComments(stage, pullRequest)).length;
}

/** Prints what is there to be seen afterwards, at the service and on GitHub. */
export async function tellWhatCame(stage: Stage, verdict: string, before: Before): Promise<void> {
  const requests = stage.sandbox.requests.map(
    ({ method, path, status }) => `${method} ${path} → ${status}`,
  );
  const pulls = await pullsOf(stage);
  const comments = await allComments(stage, before.pullRequest);
  show('Requests to the service', requests);
  show(
    'Pull requests of acme/docs',
    pulls.map(({ number, title, merged }) => `#${number} ${title}${merged ? ' (merged)' : ''}`),
  );
  show(`Comments in ${PRODUCT_REPOSITORY}`, comments);
  const counts = [
    counted(promptsOf(stage).length, 'job'),
    counted(pulls.length, 'pull request'),
    counted(comments.length - before.comments, 'comment'),
  ];
  console.log(heading(`${verdict}: ${counts.join(', ')}`));
}

async function allComments(stage: Stage, pullRequest?: number): Promise<readonly string[]> {
  const issues = ISSUES.map((_, index) => index + 1);
  const numbers = pullRequest === undefined ? issues : [...issues, pullRequest];
  const lists = await Promise.all(
    numbers.map(async (issue) =>
      (await commentsOn(issue, stage)).map(
        ({ user, body }) =>
          `${user.login} on #${issue}:\n${body.trimEnd().replaceAll(/^/gm, '  | ')}`,
      ),
    ),
  );
  return lists.flat();
}

function show(title: string, lines: readonly string[]): void {
  console.log(heading(title));
  console.log(lines.length === 0 ? 'none' : lines.join('\n'));
}
