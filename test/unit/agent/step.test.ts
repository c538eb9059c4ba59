import { expect, it } from 'vitest';
import type { Result } from '../../../src/agent/result.ts';
import type { Reached } from '../../../src/agent/stage.ts';
import { createStep } from '../../../src/agent/step.ts';
import { createGitHub } from '../../../src/github/client.ts';
import { waitingStage } from '../../helpers/agent.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

it('a step writes nothing of a run that goes on after its end', async () => {
  const runner = fakeRunner();
  const github = createGitHub({ apiUrl: '', readProxy: runner.readProxy });
  const step = createStep({ runner, github });
  const stopped = Promise.withResolvers<void>();
  async function* run(): AsyncGenerator<Reached, Result> {
    yield waitingStage();
    await stopped.promise;
    yield waitingStage({ job: undefined });
    return { result: 'cancelled' };
  }
  const following = step.follow(run());
  await Promise.resolve();
  // A callback of the run has failed, so that it is not waited for.
  step.conclude(step.failed(new TypeError('a secret detail'))).writeOutputs();
  expect(runner.news()).toContain('result=error');
  stopped.resolve();
  await following;
  expect(runner.news()).toEqual([]);
});

it('a message says when the job was last seen, not when the step ended', async () => {
  const runner = fakeRunner();
  const github = createGitHub({ apiUrl: '', readProxy: runner.readProxy });
  const step = createStep({ runner, github });
  const sentMs = runner.clock.nowMs();
  const started = { source: 'created', id: 'job_1', sentMs, sinceMs: sentMs } as const;
  async function* run(): AsyncGenerator<Reached, Result> {
    yield waitingStage({ started });
    runner.clock.advance(5 * 60_000);
    return { result: 'cancelled' };
  }
  const { message } = step.conclude(await step.follow(run()));
  expect(message).toContain('Job job_1 was running at 2026-01-05 08:00 UTC');
});
