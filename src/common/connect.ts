import { type Client, createClient } from '../platform/client.ts';
import { findKeyProblem, type ProjectContext } from '../platform/failure.ts';
import type { Runner } from '../runner/runner.ts';
import type { ApiInputs } from './api-inputs.ts';

/**
 * Creates a client for the API from the inputs and the runner's proxy settings.
 * @throws ActionError if a proxy variable is invalid
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
 * The project's details for the messages of failed requests.
 * @param hourlyLimit the limit that the requests count towards, as a main clause
 */
export function describeCalls(api: ApiInputs, hourlyLimit: string): ProjectContext {
  return {
    host: api.baseUrl.host,
    projectId: api.projectId,
    keyProblem: findKeyProblem(api.apiKey),
    hourlyLimit,
  };
}
