import { type Client, createClient } from '../platform/client.ts';
import type { ProjectContext } from '../platform/explain.ts';
import { findKeyProblem } from '../platform/explain.ts';
import type { Runner } from '../runner/step.ts';
import type { ApiInputs } from './api-inputs.ts';

/**
 * Connects to the API as the inputs and the runner's network settings say.
 * @throws EnvironmentError when a proxy variable cannot be used
 */
export function connect(api: ApiInputs, runner: Runner): Client {
  return createClient({
    baseUrl: api.baseUrl,
    apiKey: api.apiKey,
    proxy: runner.readProxy(),
    cancelled: runner.signal,
    todayMs: runner.clock.todayMs,
  });
}

/**
 * What sentences about failed requests say of the project.
 * @param hourlyLimit the limit that the calls count toward, a main clause
 */
export function describeCalls(api: ApiInputs, hourlyLimit: string): ProjectContext {
  return {
    host: api.baseUrl.host,
    projectId: api.projectId,
    keyProblem: findKeyProblem(api.apiKey),
    hourlyLimit,
  };
}
