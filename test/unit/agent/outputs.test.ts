import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../scripts/actions.ts';
import { readManifest } from '../../../scripts/tables.ts';
import { outputs } from '../../../src/agent/outputs.ts';
import type { Result } from '../../../src/agent/result.ts';
import type { Ended, Reached, Stage } from '../../../src/agent/stage.ts';
import { createOutputWriter } from '../../../src/runner/runner.ts';
import {
  agentInputs,
  beforeStage,
  documentWatch,
  handedOver,
  job,
  pullRequest,
  waitingStage,
} from '../../helpers/agent.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

/** The outputs at a stage, as `name=value`. */
function written(stage: Stage): readonly string[] {
  const runner = fakeRunner();
  createOutputWriter(outputs, runner)(stage);
  return runner.told;
}

function end(last: Reached, result: Result, tookMs: number | undefined): Ended {
  return { at: 'ended', last, result, saved: { kind: 'saved' }, askedAtMs: 0, tookMs };
}

const opened = job({ status: 'completed', pullRequest, archivedAt: '2026-01-05T09:00:00Z' });

describe('the outputs', () => {
  it('are those that action.yml declares, in its order', () => {
    const declared = Object.keys(readManifest(bundleOf('agent').actionFile).outputs);
    expect(Object.keys(outputs)).toEqual(declared);
  });

  it('are all written by a run with everything', () => {
    const last = waitingStage({ job: opened, handedOver: handedOver() });
    const result = { result: 'pull-request', job: opened, link: pullRequest } as const;
    expect(written(end(last, result, 5_399_500))).toEqual([
      'pr-link=https://github.com/acme/docs/pull/12',
      'status=completed',
      'result=pull-request',
      'message=Job job_1 completed and opened a pull request: https://github.com/acme/docs/pull/12',
      'job-id=job_1',
      'job-source=created',
      'pr-number=12',
      'pr-repository=acme/docs',
      'pr-title=Document --watch',
      'pr-branch=docs-agent/job_1',
      'pr-base=main',
      'pr-head-sha=0123456789abcdef0123456789abcdef01234567',
      'pr-changed-files=3',
      'repository=acme/docs',
      'ref=docs-agent/job_1',
      'model=model-1',
      'created-at=2026-01-05T08:00:00Z',
      'archived-at=2026-01-05T09:00:00Z',
      'duration-seconds=5400',
    ]);
  });

  it('are none before anything is known', () => {
    expect(written(beforeStage())).toEqual([]);
    expect(written(beforeStage({ inputs: agentInputs() }))).toEqual([]);
  });

  it('have the id of a continued job before the first response', () => {
    const inputs = agentInputs({ 'job-id': 'job_7' });
    expect(written(beforeStage({ inputs }))).toEqual(['job-id=job_7']);
  });

  it('have no link before the job has ended', () => {
    const names = written(waitingStage({ job: opened })).filter((line) => line.startsWith('pr-'));
    expect(names).toEqual([]);
  });

  it('have number and repository only of a link on this server', () => {
    const link = { kind: 'link', url: 'https://ghe.example/a/b/pull/3' } as const;
    const over = handedOver({ link, pullRequest: undefined });
    const names = written(waitingStage({ handedOver: over })).filter((line) =>
      line.startsWith('pr-'),
    );
    expect(names).toEqual([`pr-link=${link.url}`]);
  });

  it('can have zero changed files', () => {
    const over = handedOver({ pullRequest: { ...documentWatch, changedFiles: 0 } });
    expect(written(waitingStage({ handedOver: over }))).toContain('pr-changed-files=0');
  });

  it.each([
    { result: 'error', reason: 'bad-input', message: 'No.' },
    { result: 'skipped', reason: 'no-secret', message: 'No.', level: 'notice' },
  ] as const)('have a reason, and no time where no job was known: $result', (result) => {
    expect(written(end(beforeStage(), result, undefined))).toEqual([
      `result=${result.result}`,
      `reason=${result.reason}`,
      'message=No.',
    ]);
  });

  it('can have a duration of zero seconds', () => {
    const result = { result: 'running', job: job() } as const;
    expect(written(end(waitingStage(), result, 499))).toContain('duration-seconds=0');
  });
});
