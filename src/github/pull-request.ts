import type { Session } from './request.ts';
import type { PullRequestFacts } from './response-schema.ts';
import {
  describeResponse,
  isRefusal,
  isSuccess,
  type Pause,
  repositoryParameters,
  sendAgain,
} from './send.ts';

/** A pull request, as far as it is reported. */
export interface PullRequest extends PullRequestFacts {
  /** The names of its first files. */
  readonly files: readonly string[];
}

/** How many files a report names. */
export const shownFiles = 10;

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
  const [exchange, files] = await Promise.all([
    sendAgain(world.session, call, world.pause),
    readFiles({ repository, number }, world),
  ]);
  if (!isSuccess(exchange)) {
    const problem = await describeResponse(exchange);
    return { kind: 'unread', problem, isRefusal: isRefusal(exchange) };
  }
  const { readPull } = await import('./response-schema.ts');
  const pullRequest = readPull(exchange.body);
  return pullRequest === undefined
    ? { kind: 'unread', problem: "GitHub's response is no pull request", isRefusal: false }
    : { kind: 'read', pullRequest: { ...pullRequest, files } };
}

/** The names of the first files: "List pull requests files". None where GitHub does not tell. */
async function readFiles(
  { repository, number }: PullRequestPlace,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const exchange = await session.exchange({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
    parameters: {
      ...repositoryParameters(repository),
      pull_number: number,
      per_page: shownFiles,
    },
    timeoutMs,
    signal,
  });
  const { readFileNames } = await import('./response-schema.ts');
  return isSuccess(exchange) ? readFileNames(exchange.body) : [];
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
  const { readPullState } = await import('./response-schema.ts');
  return isSuccess(exchange) ? readPullState(exchange.body) : undefined;
}
