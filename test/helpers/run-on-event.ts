import { readFileSync } from 'node:fs';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type AgentRun, runAgent } from './run-agent.ts';

/** The token of these tests; it must never be seen outside the Authorization header. */
export const githubToken = 'ghs_t0ken-0f-th3-tests';

export interface EventRun extends Omit<AgentRun, 'context' | 'event'> {
  readonly eventName: string;
  /** A file of `test/fixtures/events`, without its ending, or a payload. */
  readonly event: string | object;
  readonly actor?: string;
  readonly githubUrl: string;
  /** Where the API is below `githubUrl`, as on an Enterprise server. */
  readonly apiPath?: string;
  readonly token?: string;
}

export function readEvent(name: string): unknown {
  const file = new URL(`../fixtures/events/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs the bundle as a step of a workflow that an event in `acme/product` started. */
export function runOnEvent(run: EventRun): Promise<StepResult> {
  const {
    eventName,
    event,
    actor = 'owner',
    githubUrl,
    apiPath = '',
    inputs,
    token,
    ...step
  } = run;
  return runAgent({
    ...step,
    context: {
      serverUrl: githubUrl,
      apiUrl: `${githubUrl}${apiPath}`,
      repository: 'acme/product',
      actor,
      eventName,
      token: token ?? githubToken,
    },
    event: typeof event === 'string' ? readEvent(event) : event,
    inputs: { ...inputs },
  });
}
