import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../scripts/actions.ts';
import { readManifest } from '../../../scripts/tables.ts';
import { outputs } from '../../../src/agent/outputs.ts';
import type { State } from '../../../src/agent/state.ts';
import { createOutputWriter } from '../../../src/runner/runner.ts';
import { agentInputs } from '../../helpers/agent-inputs.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';
import { documentWatch } from '../../helpers/pull-requests.ts';

/** The outputs for a state, as `name=value`. */
function written(state: State): readonly string[] {
  const runner = fakeRunner();
  createOutputWriter(outputs, runner)(state);
  return runner.told;
}

const opened = job({ status: 'completed', pullRequest, archivedAt: '2026-01-05T09:00:00Z' });

describe('the outputs', () => {
  it('are those that action.yml declares, in its order', () => {
    const declared = Object.keys(readManifest(bundleOf('agent').actionFile).outputs);
    expect(Object.keys(outputs)).toEqual(declared);
  });

  it('are all written by a run with everything', () => {
    const state: State = {
      job: opened,
      link: pullRequest,
      pullRequest: documentWatch,
      end: {
        result: { result: 'pull-request', job: opened, url: pullRequest.url },
        message: 'Job job_1 completed.',
        tookMs: 5_400_400,
      },
    };
    expect(written(state)).toEqual([
      'pr-link=https://github.com/acme/docs/pull/12',
      'status=completed',
      'result=pull-request',
      'message=Job job_1 completed.',
      'job-id=job_1',
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
    expect(written({})).toEqual([]);
    expect(written({ inputs: agentInputs() })).toEqual([]);
  });

  it('have the id of a continued job before the first response', () => {
    expect(written({ inputs: agentInputs({ 'job-id': 'job_7' }) })).toEqual(['job-id=job_7']);
  });

  it.each<State['link']>([undefined, { kind: 'link', url: 'https://ghe.example/a/b/pull/3' }])(
    'have number and repository only of a link on this server: %j',
    (link) => {
      const names = written({ job: opened, ...(link && { link }) }).filter((line) =>
        line.startsWith('pr-'),
      );
      expect(names).toEqual(link === undefined ? [] : [`pr-link=${link.url}`]);
    },
  );

  it('can have zero changed files', () => {
    const pullRequest = { ...documentWatch, changedFiles: 0 };
    expect(written({ pullRequest })).toContain('pr-changed-files=0');
  });

  it.each([
    { result: 'error', reason: 'bad-input', message: 'No.' },
    { result: 'skipped', reason: 'no-secret', message: 'No.', level: 'notice' },
  ] as const)('have a reason, and no time where no job was known: $result', (result) => {
    expect(written({ end: { result, message: 'No.', tookMs: undefined } })).toEqual([
      `result=${result.result}`,
      `reason=${result.reason}`,
      'message=No.',
    ]);
  });

  it('can have a duration of zero seconds', () => {
    const result = { result: 'running', job: job() } as const;
    expect(written({ end: { result, message: 'No.', tookMs: 499 } })).toContain(
      'duration-seconds=0',
    );
  });
});
