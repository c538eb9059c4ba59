import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { DOCS_REPOSITORY, ISSUES, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { readWords } from '../../sandbox/service/words.ts';
import { heading } from '../../sandbox/terminal.ts';
import { counted } from '../../src/text/plain.ts';
import { commentsOn, promptsOf, pullsOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';

/** Lines that are about act itself, and not about the workflow. */
const noise =
  /::set-output::|LocalRepositoryCache|⚙ {2}\*\*\*|valid docker connection|Cleaning up container/;

/** Prints a line of act's log, if it is about the workflow. */
export function showLine(line: string): void {
  if (!noise.test(line)) {
    console.log(line);
  }
}

/** The message of an error as a sentence, unless it is one already, or a list of lines. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('\n') || message.endsWith('.') ? message : `${message}.`;
}

/** How the action's error ends for a placeholder whose field the event does not have. */
const missingField = "which does not exist in this event's payload";

/**
 * What to print after a run whose prompt asks for a field that an event of `createEvent` lacks.
 *
 * @param log act's log of the run
 */
export function noteOnEvent(log: string): string | undefined {
  return log.includes(missingField)
    ? "This event is made up, and smaller than GitHub's: if GitHub sends that field, give a real payload with -- --event FILE."
    : undefined;
}

/**
 * Waits until the agent has finished all jobs, because a step need not wait for its job. Prints how
 * long that may take.
 */
export async function waitForAgent(stage: Stage, signal: AbortSignal): Promise<void> {
  const settled = stage.sandbox.settled().then(() => true);
  if (!(await Promise.race([settled, setImmediate(false)]))) {
    const workMs = promptsOf(stage).map((prompt) => readWords(prompt).workMs ?? 0);
    const longestSeconds = Math.max(...workMs) / 1000;
    const limit = longestSeconds === 0 ? '' : `, up to ${longestSeconds} s`;
    console.log(`The workflow has ended. Waiting for the agent to finish its jobs${limit} …`);
    await Promise.race([settled, aborted(signal)]);
  }
}

/** Never resolves. @throws The signal's reason. */
async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** The state of the local GitHub before the workflow runs. */
interface Before {
  /** The number of comments. */
  readonly comments: number;
  /** The pull request whose comments count, in addition to those of the issues. */
  readonly pullRequest: number | undefined;
}

/** The number of comments on all issues, and on the pull request. */
export async function countComments(stage: Stage, pullRequest?: number): Promise<number> {
  return (await allComments(stage, pullRequest)).length;
}

/** Prints the requests to the API, the pull requests and the comments. */
export async function printResults(stage: Stage, verdict: string, before: Before): Promise<void> {
  const requests = stage.sandbox.requests.map(
    ({ method, path, status }) => `${method} ${path} → ${status}`,
  );
  const pulls = await pullsOf(stage);
  const comments = await allComments(stage, before.pullRequest);
  printList('Requests to the API', requests);
  printList(
    `Pull requests of ${DOCS_REPOSITORY}`,
    pulls.map(({ number, title, merged }) => `#${number} ${title}${merged ? ' (merged)' : ''}`),
  );
  printList(`Comments in ${PRODUCT_REPOSITORY}`, comments);
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

function printList(title: string, lines: readonly string[]): void {
  console.log(heading(title));
  console.log(lines.length === 0 ? 'none' : lines.join('\n'));
}
