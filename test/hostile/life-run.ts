import { finish } from '../../src/agent/finish.ts';
import { type AgentInputs, readAccessInputs } from '../../src/agent/inputs.ts';
import { type JobDeps, pollJob, pollWithoutWaiting } from '../../src/agent/job/poll.ts';
import { asWorking } from '../../src/agent/job/progress.ts';
import { startJob } from '../../src/agent/job/start.ts';
import { outputs } from '../../src/agent/outputs.ts';
import type { Plan } from '../../src/agent/plan.ts';
import { messageOf } from '../../src/agent/report/messages.ts';
import { createProgressLog } from '../../src/agent/report/progress-log.ts';
import { type Result, resultOfError } from '../../src/agent/result.ts';
import { type AgentState, withFieldsOf } from '../../src/agent/state.ts';
import { createStateStore } from '../../src/common/state-store.ts';
import { createGitHub } from '../../src/github/client.ts';
import { unreadEvent } from '../../src/github/event.ts';
import { createJobs } from '../../src/platform/job.ts';
import { createOutputWriter, type OutputValue, type Runner } from '../../src/runner/runner.ts';
import { agentInputs } from '../helpers/agent-inputs.ts';
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
export async function runLife(errand: Errand, world: LifeWorld): Promise<Ended> {
  const written: Record<string, OutputValue> = {};
  const runner: Runner = {
    ...fakeRunner({ GITHUB_SERVER_URL: 'https://github.com' }),
    clock: world.clock,
    signal: world.cancelled,
    setOutput(name, value) {
      written[name] = value;
    },
  };
  const state: AgentState = createStateStore({}, createOutputWriter(outputs, runner));
  const inputs = inputsOf(errand);
  state.learn({ inputs });
  const result = await run(inputs, world, runner, state).catch((error: unknown) =>
    resultOfError(error, runner, state.current),
  );
  const { sentence: message } = messageOf(result, state.current);
  state.learn({ end: { result, message, tookMs: undefined } });
  return { outputs: written, message, endedMs: world.clock.nowMs() };
}

/** The same steps as in `main`, after the access check. */
async function run(
  inputs: AgentInputs,
  { client, clock, cancelled }: LifeWorld,
  runner: Runner,
  state: AgentState,
): Promise<Result> {
  const { waitMs, pollIntervalMs } = inputs;
  const jobs = createJobs(client, 'acme');
  const observer = createProgressLog(runner, state, 'acme', () => undefined);
  const deadlineMs = clock.nowMs() + waitMs;
  const deps: JobDeps = { jobs, clock, signal: cancelled, observer, pollIntervalMs, deadlineMs };
  const plan = planOf(inputs);
  state.learn({ plan });
  const started = await startJob(plan, deps);
  const { source, sinceMs } = started;
  const job = started.job && withFieldsOf(state.current.job, asWorking(started.job));
  state.learn({ source, sinceMs, ...(job && { job }) });
  observer.started(started);
  const result = await (waitMs === 0 ? pollWithoutWaiting : pollJob)(started, deps);
  const github = createGitHub({
    apiUrl: '',
    readProxy: runner.readProxy,
  });
  const access = {
    kind: 'granted',
    inputs: readAccessInputs(runner.inputs),
    event: unreadEvent,
    askedBy: '',
  } as const;
  await finish(result, { runner, state, github, access, inputs, before: undefined });
  return result;
}

function planOf({ job, prompt }: AgentInputs): Exclude<Plan, { readonly kind: 'nothing' }> {
  if (job.kind !== 'id') {
    return { kind: 'new', prompt: 'Do it.' };
  }
  return prompt === undefined
    ? { kind: 'wait', jobId: job.id }
    : { kind: 'continue', jobId: job.id, prompt: 'Do it.' };
}

function inputsOf({ kind, waitMs, pollIntervalMs }: Errand): AgentInputs {
  const inputs = agentInputs({
    ...(kind !== 'new' && { 'job-id': jobId }),
    ...(kind === 'wait' && { prompt: '' }),
  });
  return { ...inputs, waitMs, pollIntervalMs };
}
