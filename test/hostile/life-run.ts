import { endingOf } from '../../src/agent/ending.ts';
import type { AgentInputs } from '../../src/agent/inputs.ts';
import type { Known } from '../../src/agent/known.ts';
import { createNarrator } from '../../src/agent/narrator.ts';
import { learnLink } from '../../src/agent/pull-request.ts';
import { report } from '../../src/agent/report.ts';
import { type Ending, toResult } from '../../src/agent/result.ts';
import type { Work } from '../../src/agent/start.ts';
import { startAndWait } from '../../src/agent/start-and-wait.ts';
import { createJobs } from '../../src/platform/jobs.ts';
import type { Log } from '../../src/runner/log.ts';
import type { OutputValue } from '../../src/runner/outputs.ts';
import { jobId, type LifeWorld } from './life-world.ts';

/** What the step is asked for. */
export interface Errand {
  readonly kind: Work['kind'];
  readonly waitMs: number;
  readonly pollIntervalMs: number | undefined;
}

/** What is left when the step is at its end. */
export interface Ended {
  readonly outputs: Readonly<Record<string, OutputValue>>;
  readonly message: string;
  /** On the clock. */
  readonly endedMs: number;
}

const silentLog: Log = {
  info() {},
  debug() {},
  notice() {},
  warning() {},
};

/** Runs the agent's story from its inputs to its report in a world of its own. */
export async function runLife(errand: Errand, world: LifeWorld): Promise<Ended> {
  const outputs: Record<string, OutputValue> = {};
  const stage = {
    log: silentLog,
    clock: world.clock,
    cancelled: world.cancelled,
    environment: { serverUrl: 'https://github.com' },
    broken: new AbortController().signal,
    setOutput(name: string, value: OutputValue) {
      outputs[name] = value;
    },
  };
  const known: Known = { inputs: inputsOf(errand), failOn: new Set() };
  const ending = await tell(errand, world, stage, known).catch((error: unknown) =>
    endingOf(error, stage, known),
  );
  if (ending.kind === 'ended') {
    learnLink(ending.job, stage, known);
  }
  const conclusion = report(toResult(ending), known, world);
  return {
    outputs: { ...outputs, ...conclusion.outputs },
    message: conclusion.message,
    endedMs: world.clock.nowMs(),
  };
}

async function tell(
  errand: Errand,
  { client, clock, cancelled }: LifeWorld,
  stage: Parameters<typeof createNarrator>[0],
  known: Known,
): Promise<Ending> {
  const jobs = createJobs(client, { host: 'api.example', projectId: 'acme', hourlyLimit: 'x' });
  const narrator = createNarrator(stage, known, 'acme', () => undefined);
  const onStarted = (): void => undefined;
  return await startAndWait(workOf(errand), errand, {
    jobs,
    narrator,
    onStarted,
    clock,
    cancelled,
  });
}

function workOf({ kind }: Errand): Work {
  switch (kind) {
    case 'create':
      return { kind, prompt: 'Do it.' };
    case 'follow-up':
      return { kind, jobId, prompt: 'More.' };
    case 'attach':
      return { kind, jobId };
  }
}

function inputsOf({ kind, waitMs, pollIntervalMs }: Errand): AgentInputs {
  const prompt = { input: 'prompt', text: 'Do it.' } as const;
  return {
    service: { apiKey: 'k', projectId: 'acme', baseUrl: new URL('https://api.example') },
    request:
      kind === 'create'
        ? { kind, prompt }
        : kind === 'attach'
          ? { kind, jobId }
          : { kind, jobId, prompt },
    variables: '',
    waitMs,
    pollIntervalMs,
    failOn: new Set(),
  };
}
