import { readAccessInputs } from '../../src/agent/inputs.ts';
import { work } from '../../src/agent/main.ts';
import type { Plan } from '../../src/agent/plan.ts';
import { createStep } from '../../src/agent/step.ts';
import { createGitHub } from '../../src/github/client.ts';
import { unreadEvent } from '../../src/github/event.ts';
import { createJobs } from '../../src/platform/job.ts';
import type { OutputValue, Runner } from '../../src/runner/runner.ts';
import { agentInputs } from '../helpers/agent.ts';
import { fakeRunner } from '../helpers/fake-runner.ts';
import { jobId, type LifeWorld } from './life-world.ts';

/** The inputs of the step. */
export interface Errand {
  readonly kind: Exclude<Plan['kind'], 'resume' | 'nothing'>;
  readonly waitMs: number;
  readonly pollIntervalMs: number | undefined;
}

/** The results of the step. */
export interface Ended {
  readonly outputs: Readonly<Record<string, OutputValue>>;
  readonly message: string;
  /** On the clock. */
  readonly endedMs: number;
}

/** Runs the agent from its inputs to its outputs, with a fake API and a fake clock. */
export async function runLife(
  { kind, waitMs, pollIntervalMs }: Errand,
  { client, clock, cancelled }: LifeWorld,
): Promise<Ended> {
  const outputs: Record<string, OutputValue> = {};
  const runner: Runner = {
    ...fakeRunner({ GITHUB_SERVER_URL: 'https://github.com' }),
    clock,
    signal: cancelled,
    setOutput(name, value) {
      outputs[name] = value;
    },
  };
  const read = agentInputs({
    ...(kind !== 'new' && { 'job-id': jobId }),
    ...(kind === 'wait' && { prompt: '' }),
  });
  const inputs = { ...read, waitMs, pollIntervalMs };
  const access = {
    kind: 'granted',
    inputs: readAccessInputs(runner.inputs),
    event: unreadEvent,
    askedBy: '',
  } as const;
  const github = createGitHub({ apiUrl: '', readProxy: runner.readProxy });
  const deps = { runner, github };
  const step = createStep(deps);
  const jobs = createJobs(client, 'acme', runner.environment.serverUrl);
  const run = work(
    { access, inputs },
    { ...deps, jobs, pollIntervalMs, deadlineMs: clock.nowMs() + waitMs },
  );
  const result = await step.follow(run).catch((error: unknown) => step.failed(error));
  const { writeOutputs, message } = step.conclude(result);
  writeOutputs();
  return { outputs, message, endedMs: clock.nowMs() };
}
