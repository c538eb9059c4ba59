import { quoted } from '../text/plain.ts';
import type { Call, Exchange, Session } from './call.ts';

/** Long enough for a hiccup, short enough for whoever waits. */
const pausesMs = [500, 2000] as const;

/** Waits; rejects when the run is cancelled. */
export type Pause = (durationMs: number) => Promise<void>;

/** Sends a request that changes nothing, up to three times, until GitHub answers for itself. */
export async function exchangeAgain(session: Session, call: Call, pause: Pause): Promise<Exchange> {
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
export function mayPass(exchange: Exchange): boolean {
  return exchange.kind === 'no-answer' ? exchange.code !== 'no-address' : exchange.status >= 500;
}

export function isSuccess(
  exchange: Exchange,
): exchange is Exchange & { kind: 'answer'; status: number } {
  return exchange.kind === 'answer' && exchange.status >= 200 && exchange.status < 300;
}

/** Whether GitHub refused, which another token or permission may mend. */
export function isRefusal(exchange: Exchange): boolean {
  return exchange.kind === 'answer' && exchange.status >= 400 && exchange.status < 500;
}

/** What came of a call, as a main clause. */
export async function describeExchange(exchange: Exchange): Promise<string> {
  if (isSuccess(exchange)) {
    return `GitHub answered ${exchange.status}, but not with what was asked for`;
  }
  if (exchange.kind === 'answer') {
    const { readRefusal } = await import('./answer-schema.ts');
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
