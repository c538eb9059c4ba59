import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import type { Comment } from '../../sandbox/github/state.ts';
import type { SeenRequest } from '../../sandbox/service/server.ts';
import { readWords } from '../../sandbox/service/words.ts';
import { heading, plainComment } from '../../sandbox/terminal.ts';
import { counted } from '../../src/text/plain.ts';
import { commentsOn, promptsOf } from '../stage/results.ts';
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

/** What a visitor sees of an issue or a pull request. */
interface ShownThread {
  /** Such as `acme/docs#1`. */
  readonly name: string;
  /** Whether it is a pull request that the agent opened. */
  readonly isAgentPull: boolean;
  readonly title: string;
  /** Who opened it; `null` if the account is gone. */
  readonly login: string | null;
  readonly body: string | null;
  /** Its state, its labels, and who is asked for a review. */
  readonly state: string;
  readonly comments: readonly Comment[];
}

/** The issues and pull requests of the product and of its docs, in their state on the local GitHub. */
export function readThreads(stage: Stage): readonly ShownThread[] {
  const { threads } = stage.sandbox.github;
  return [PRODUCT_REPOSITORY, DOCS_REPOSITORY].flatMap((name) =>
    threads
      .filter(({ repository }) => repository === name)
      .map(({ repository, number, title, body, state, labels, pull, login }) => ({
        name: `${repository}#${number}`,
        isAgentPull: pull !== undefined && login === 'docs-agent[bot]',
        title,
        login,
        body,
        state: [
          pull?.merged === undefined ? state : 'merged',
          ...labels.map((label) => `label ${label}`),
          ...(pull?.reviewers ?? []).map((login) => `review by ${login}`),
        ].join(', '),
        comments: commentsOn(number, stage, repository),
      })),
  );
}

/** The requests to the API, and what a visitor sees of what the run has changed, as lines. */
export function describeResults(
  verdict: string,
  requests: readonly Pick<SeenRequest, 'method' | 'path' | 'status'>[],
  before: readonly ShownThread[],
  after: readonly ShownThread[],
): readonly string[] {
  const sent = requests.map(
    ({ method, path, status }) => `${method} ${path.replace(/\?.*/, '')} → ${status}`,
  );
  const old = new Map(before.map((thread) => [thread.name, thread]));
  const count = (threads: readonly ShownThread[]) =>
    threads.reduce((sum, { comments }) => sum + comments.length, 0);
  const pulls = countAgentPulls(after) - countAgentPulls(before);
  const counts = [...countPaid(requests, pulls), counted(count(after) - count(before), 'comment')];
  return [
    heading('Requests to the API'),
    ...(sent.length === 0 ? ['none'] : withoutRepeats(sent)),
    ...after
      .filter((thread) => !isDeepStrictEqual(thread, old.get(thread.name)))
      .flatMap((thread) => describeThread(thread, old.get(thread.name))),
    heading(`${verdict}: ${counts.join(', ')}`),
  ];
}

/**
 * A thread as a visitor sees it. Its text is left out if the run did not change it, and for the agent's pull
 * requests, because the stand-in for the agent makes that text up.
 */
function describeThread(thread: ShownThread, old: ShownThread | undefined): readonly string[] {
  const { name, title, state, body, isAgentPull, comments } = thread;
  const isShown = !isAgentPull && (body ?? '') !== (old?.body ?? '');
  return [
    heading(`What a visitor of ${name} sees`),
    `${title} (${state})`,
    ...(isShown ? [thread, ...comments] : comments).map(({ login, body: text }) =>
      plainComment(login ?? 'ghost', text ?? ''),
    ),
  ];
}

/** Counts the agent's pull requests. None of them is ever removed, so the number only grows. */
export function countAgentPulls(threads: readonly ShownThread[]): number {
  return threads.filter(({ isAgentPull }) => isAgentPull).length;
}

/**
 * What costs credits: how many jobs were started, with the pull requests that they opened, and how many
 * follow-ups were sent, if any.
 */
export function countPaid(
  requests: readonly Pick<SeenRequest, 'method' | 'path' | 'status'>[],
  pulls: number,
): readonly string[] {
  const posts = requests.filter(({ method }) => method === 'POST');
  const jobs = posts.filter(({ status }) => status === 201).length;
  const followUps = posts.filter(
    ({ path, status }) => status === 200 && path.endsWith('/message'),
  ).length;
  return [
    `${counted(jobs, 'agent job')}${jobs === 0 ? '' : ` with ${counted(pulls, 'pull request')}`}`,
    ...(followUps === 0 ? [] : [counted(followUps, 'follow-up')]),
  ];
}

/** Writes equal lines in a row as one line with their number, because a run sends many polls. */
function withoutRepeats(lines: readonly string[]): readonly string[] {
  const isNew = (line: string, index: number) => line !== lines[index - 1];
  const starts = lines.flatMap((line, index) => (isNew(line, index) ? [index] : []));
  return starts.map((start, index) => {
    const count = (starts[index + 1] ?? lines.length) - start;
    return `${lines[start]}${count === 1 ? '' : ` (${count} times)`}`;
  });
}
