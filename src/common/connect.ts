import { type Client, createClient } from '../platform/client.ts';
import type { ProjectContext } from '../platform/explain.ts';
import { findKeyProblem } from '../platform/explain.ts';
import type { Runner } from '../runner/step.ts';
import type { ServiceInputs } from './service-inputs.ts';

/**
 * Connects to the API as the inputs and the runner's network settings say.
 * @throws EnvironmentError when a proxy variable cannot be used
 */
export function connect(service: ServiceInputs, runner: Runner): Client {
  return createClient({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    proxy: runner.readProxy(),
    cancelled: runner.signal,
    todayMs: runner.clock.todayMs,
  });
}

/**
 * What sentences about failed calls say of the project.
 * @param hourlyLimit the limit that the calls count toward, a main clause
 */
export function describeCalls(service: ServiceInputs, hourlyLimit: string): ProjectContext {
  return {
    host: service.baseUrl.host,
    projectId: service.projectId,
    keyProblem: findKeyProblem(service.apiKey),
    hourlyLimit,
  };
}
