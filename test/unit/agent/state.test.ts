import { describe, expect, it } from 'vitest';
import { jobIdOf, type State, withFieldsOf } from '../../../src/agent/state.ts';
import { agentInputs } from '../../helpers/agent-inputs.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

const bare = { repository: '', ref: '', model: '', createdAt: '', archivedAt: '' };

describe('the job in the state', () => {
  const learn = withFieldsOf;

  it('keeps fields that a later response lacks', () => {
    const full = job({ archivedAt: '2026-01-05T09:00:00Z' });
    expect(learn(full, job(bare))).toEqual(full);
  });

  it('has the fields of the last response', () => {
    const changed = job({
      status: 'completed',
      pullRequest,
      repository: 'acme/other',
      ref: 'other',
      model: 'model-2',
      createdAt: '2026-01-06T08:00:00Z',
      archivedAt: '2026-01-06T09:00:00Z',
    });
    expect(learn(job(), changed)).toEqual(changed);
  });

  it('never has the status or link of an earlier response', () => {
    const ended = job({ status: 'completed', pullRequest });
    expect(learn(ended, job(bare))).toEqual(job());
  });
});

describe("the job's id", () => {
  it.each<[string, State, string]>([
    ['unknown before the inputs are', {}, ''],
    ['unknown before a job is created', { inputs: agentInputs() }, ''],
    ['the one to follow up', { inputs: agentInputs({ 'job-id': 'job_7' }) }, 'job_7'],
    ['the one to wait for', { inputs: agentInputs({ 'job-id': 'job_7', prompt: '' }) }, 'job_7'],
    ['the one that was created', { inputs: agentInputs(), job: job() }, 'job_1'],
    ['that of a job without inputs', { job: job() }, 'job_1'],
  ])('is %s', (_name, state, id) => {
    expect(jobIdOf(state)).toBe(id);
  });
});
