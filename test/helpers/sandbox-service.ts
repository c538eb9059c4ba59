import type { Agent, Sleep } from '../../sandbox/service/jobs.ts';
import type { Organisation } from '../../sandbox/service/routes.ts';
import { type Service, startService } from '../../sandbox/service/server.ts';
import { openStore, type Store } from '../../sandbox/service/store.ts';
import { inventVisitors } from '../../sandbox/service/visitors.ts';

export const NOW = Date.UTC(2025, 5, 15, 12);

export const API_KEY = 'mint_ours';
export const READ_KEY = 'mint_ours_read';

/** An organisation with two projects and two keys, and another one. */
const ORGANISATIONS: readonly Organisation[] = [
  {
    name: 'acme',
    projects: ['ours', 'ours-too'],
    keys: [
      { text: API_KEY, scope: 'write' },
      { text: READ_KEY, scope: 'read' },
    ],
  },
  {
    name: 'other',
    projects: ['theirs'],
    keys: [{ text: 'mint_theirs', scope: 'write' }],
  },
];

/** A clock that only the test moves. */
export interface ManualTime {
  now(): number;
  sleep: Sleep;
  /** Moves the clock, and ends the sleeps that are over. */
  pass(ms: number): void;
}

export function manualTime(): ManualTime {
  let time = NOW;
  const sleepers = new Set<{ readonly due: number; readonly wake: () => void }>();
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        const sleeper = { due: time + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    pass(ms) {
      time += ms;
      for (const sleeper of sleepers) {
        if (sleeper.due <= time) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      }
    },
  };
}

export interface ServiceUnderTest extends Service, AsyncDisposable {
  readonly time: ManualTime;
  readonly store: Store;
  readonly agentErrors: unknown[];
  /** Sends a request with the key of the first organisation; `json` becomes the body. */
  request(method: string, path: string, json?: unknown): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** The service with two organisations, a manual clock, and an agent that only returns a link. */
export async function startServiceUnderTest(
  options: Partial<Parameters<typeof startService>[0]> & { readonly pages?: number } = {},
): Promise<ServiceUnderTest> {
  const time = manualTime();
  const store = openStore();
  const agentErrors: unknown[] = [];
  let jobs = 0;
  const agent: Agent = async ({ jobId }) => `https://github.example/acme/docs/pull/${jobId}`;
  const service = await startService({
    organisations: ORGANISATIONS,
    store,
    agent,
    repositoryOf: () => 'acme/docs',
    base: 'main',
    visitors: (projectId, range) =>
      inventVisitors({
        seed: projectId === 'ours' ? 1 : 2,
        pages: options.pages ?? 300,
        now: time.now,
      })(range),
    now: time.now,
    sleep: time.sleep,
    newJobId: () => {
      jobs += 1;
      return `job_${jobs}`;
    },
    workMs: 1000,
    pickUpMs: 250,
    onAgentError: (_, error) => agentErrors.push(error),
    ...options,
  });
  return {
    ...service,
    time,
    store,
    agentErrors,
    request: (method, path, json) =>
      send(service.url + path, {
        method,
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** Sends any request, and parses the JSON of the response. */
export async function send(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}
