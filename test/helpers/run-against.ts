import { onTestFinished } from 'vitest';
import { type AgentRun, runAgent } from './run-agent.ts';
import { type Reply, scriptedService } from './scripted-service.ts';

/** Runs the agent bundle, in fast time, against a service that follows a script. */
export async function runAgainst(script: readonly Reply[], step: AgentRun = {}) {
  const service = await scriptedService(script);
  onTestFinished(() => service.close());
  const result = await runAgent({ baseUrl: service.url, speed: 30, ...step });
  const posts = service.calls.filter((call) => call.startsWith('POST')).length;
  return { result, service, posts };
}
