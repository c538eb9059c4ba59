import { onTestFinished } from 'vitest';
import {
  type CacheFault,
  type CacheOperation,
  type CacheService,
  startCacheService,
} from '../../sandbox/runner/cache-service.ts';
import { type AgentRun, runAgent } from './run-agent.ts';
import { type Reply, type ScriptedApi, scriptedApi } from './scripted-api.ts';

type Protocol = 'v1' | 'v2';

/** The attempts of one run, with one API and one cache service. */
export interface Attempts {
  readonly api: ScriptedApi;
  readonly cache: CacheService;
  /** How many requests started paid work. */
  posts(): number;
  /** Runs the step as the given attempt of the same run. */
  attempt(number: number, step?: AgentRun): ReturnType<typeof runAgent>;
}

/**
 * @param script of the API, over all attempts
 * @param fault of the cache service, told the attempt that is running
 */
export async function startAttempts(
  script: readonly Reply[],
  {
    protocol = 'v2',
    fault = () => undefined,
    onCall = () => undefined,
  }: {
    readonly protocol?: Protocol;
    /** Called with each request to the API before the response, such as `GET /v2/agent/p/job/1`. */
    readonly onCall?: (call: string) => void;
    readonly fault?: (operation: CacheOperation, attempt: number) => CacheFault | undefined;
  } = {},
): Promise<Attempts> {
  let running = 0;
  const api = await scriptedApi(script, ({ method, path }) => onCall(`${method} ${path}`));
  const cache = await startCacheService({ fault: (operation) => fault(operation, running) });
  onTestFinished(async () => {
    await Promise.all([api.close(), cache.close()]);
  });
  return {
    api,
    cache,
    posts: () => api.calls.filter((call) => call.startsWith('POST')).length,
    attempt(number, { env, ...step } = {}) {
      running = number;
      return runAgent({
        baseUrl: api.url,
        ...step,
        env: { ...cache.variables(protocol), GITHUB_RUN_ATTEMPT: String(number), ...env },
      });
    },
  };
}
