import type { PullRequest } from './answer-schema.ts';
import type { Session } from './call.ts';
import {
  describeExchange,
  exchangeAgain,
  isRefusal,
  isSuccess,
  type Pause,
  repositoryParameters,
} from './exchange.ts';

export type { PullRequest } from './answer-schema.ts';

/** What came of reading a pull request. */
export type PullRequestReading =
  | { readonly kind: 'read'; readonly pullRequest: PullRequest }
  | {
      readonly kind: 'unread';
      /** A main clause. */
      readonly problem: string;
      /** Whether GitHub refused, which another token may mend. */
      readonly isRefusal: boolean;
    };

/** Where a pull request is. */
export interface PullRequestPlace {
  /** `owner/name` */
  readonly repository: string;
  readonly number: string;
}

/** Nobody waits long for a title. */
const timeoutMs = 3000;

/** Reads a pull request: "Get a pull request". Nothing that goes wrong is thrown. */
export async function readPullRequest(
  { repository, number }: PullRequestPlace,
  world: { readonly session: Session; readonly pause: Pause; readonly signal: AbortSignal },
): Promise<PullRequestReading> {
  const call = {
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repositoryParameters(repository), pull_number: number },
    timeoutMs,
    signal: world.signal,
  };
  const exchange = await exchangeAgain(world.session, call, world.pause);
  if (!isSuccess(exchange)) {
    const problem = await describeExchange(exchange);
    return { kind: 'unread', problem, isRefusal: isRefusal(exchange) };
  }
  const { readPull } = await import('./answer-schema.ts');
  const pullRequest = readPull(exchange.body);
  return pullRequest === undefined
    ? { kind: 'unread', problem: "GitHub's answer is no pull request", isRefusal: false }
    : { kind: 'read', pullRequest };
}

/** What became of a pull request; `undefined` when GitHub does not tell. Asked once, never thrown. */
export async function readPullRequestState(
  { repository, number }: PullRequestPlace,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<'open' | 'closed' | undefined> {
  const exchange = await session.exchange({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repositoryParameters(repository), pull_number: number },
    timeoutMs,
    signal,
  });
  const { readPullState } = await import('./answer-schema.ts');
  return isSuccess(exchange) ? readPullState(exchange.body) : undefined;
}
