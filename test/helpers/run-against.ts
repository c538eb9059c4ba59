import { onTestFinished } from 'vitest';
import { type AgentRun, runAgent } from './run-agent.ts';
import { type Reply, scriptedApi } from './scripted-api.ts';

/** Runs the agent bundle with a fast clock against a scripted API. */
export async function runAgainst(script: readonly Reply[], step: AgentRun = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  const result = await runAgent({ baseUrl: api.url, speed: 30, ...step });
  const posts = api.calls.filter((call) => call.startsWith('POST')).length;
  return { result, api, posts };
}
