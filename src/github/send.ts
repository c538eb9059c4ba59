import { quoted } from '../text/plain.ts';
import type { GitHubRequest, GitHubResponse, Session } from './request.ts';

/** Long enough for a hiccup, short enough for whoever waits. */
const pausesMs = [500, 2000] as const;

/** Waits; rejects when the run is cancelled. */
export type Pause = (durationMs: number) => Promise<void>;

/** Sends a request that changes nothing, up to three times, until GitHub answers for itself. */
export async function sendAgain(
  session: Session,
  call: GitHubRequest,
  pause: Pause,
): Promise<GitHubResponse> {
  for (const pauseMs of pausesMs) {
    const exchange = await session.exchange(call);
    if (!mayPass(exchange) || call.signal.aborted) {
      return exchange;
    }
    await pause(pauseMs);
  }
  return await session.exchange(call);
}

/** Whether the same request may do better a moment later. */
export function mayPass(exchange: GitHubResponse): boolean {
  return exchange.kind === 'no-response' ? exchange.code !== 'no-address' : exchange.status >= 500;
}

export function isSuccess(
  exchange: GitHubResponse,
): exchange is GitHubResponse & { kind: 'response'; status: number } {
  return exchange.kind === 'response' && exchange.status >= 200 && exchange.status < 300;
}

/** Whether GitHub refused, which another token or permission may mend. */
export function isRefusal(exchange: GitHubResponse): boolean {
  return exchange.kind === 'response' && exchange.status >= 400 && exchange.status < 500;
}

/** What came of a call, as a main clause. */
export async function describeResponse(exchange: GitHubResponse): Promise<string> {
  if (isSuccess(exchange)) {
    return `GitHub answered ${exchange.status}, but not with what was asked for`;
  }
  if (exchange.kind === 'response') {
    const { readRefusal } = await import('./response-schema.ts');
    const words = readRefusal(exchange.body);
    return `GitHub answered ${exchange.status}${words === '' ? '' : ` (${quoted(words)})`}`;
  }
  switch (exchange.code) {
    case 'no-address':
      return "the runner does not name the address of GitHub's API";
    case 'time-out':
      return 'GitHub did not answer in time';
    case '':
      return 'GitHub did not answer';
    default:
      return `GitHub did not answer (${exchange.code})`;
  }
}

/** The parameters that stand for `owner/name` in a route. */
export function repositoryParameters(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
