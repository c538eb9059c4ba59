import { readFileSync } from 'node:fs';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type AgentRun, runAgent } from './run-agent.ts';

/** The token of the tests. It must never appear outside the Authorization header. */
export const githubToken = 'ghs_t0ken-0f-th3-tests';

export interface EventRun extends Omit<AgentRun, 'context' | 'event'> {
  readonly eventName: string;
  /** A file of `test/fixtures/events`, without its extension, or a payload. */
  readonly event: string | object;
  readonly actor?: string;
  readonly githubUrl: string;
  /** The path of the API below `githubUrl`, as on GitHub Enterprise Server. */
  readonly apiPath?: string;
  readonly token?: string;
}

export function readEvent(name: string): unknown {
  const file = new URL(`../fixtures/events/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs the bundle as a step of a workflow that was triggered by an event in `acme/product`. */
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
