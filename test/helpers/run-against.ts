import { onTestFinished } from 'vitest';
import { type AgentRun, runAgent } from './run-agent.ts';
import { type Reply, scriptedApi } from './scripted-api.ts';

/**
 * Runs the agent bundle against a scripted API, with a fast clock if it waits for the job. A step that
 * does not wait has little time for its requests, which a busy machine must not lose.
 */
export async function runAgainst(script: readonly Reply[], step: AgentRun = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  const speed = step.inputs?.['wait-minutes'] === '0' ? 1 : 30;
  const result = await runAgent({ baseUrl: api.url, speed, ...step });
  const posts = api.calls.filter((call) => call.startsWith('POST')).length;
  return { result, api, posts };
}
