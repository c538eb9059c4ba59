import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/platform/client.ts';
import { createJobs } from '../../../src/platform/job.ts';
import { apiResponse, fakeClient } from '../../helpers/fake-client.ts';
import { jobBody } from '../../helpers/servers.ts';

/** The jobs of a project whose API gives one response, and the request that it received. */
function jobsThatGet(status: number, body: unknown) {
  const calls: ApiRequest[] = [];
  const client = fakeClient(async (call) => {
    calls.push(call);
    return apiResponse(status, body);
  });
  return { jobs: createJobs(client, 'acme'), calls };
}

const ours = jobBody({ id: 'job_1' });

describe('a request about a job', () => {
  it('creates one', async () => {
    const { jobs, calls } = jobsThatGet(201, ours);
    await expect(jobs.create('Do it')).resolves.toMatchObject({
      kind: 'job',
      job: { id: 'job_1' },
    });
    expect(calls).toEqual([
      {
        method: 'POST',
        path: ['v2', 'agent', 'acme', 'job'],
        body: { prompt: 'Do it' },
        timeoutMs: 60_000,
      },
    ]);
  });

  it('sends a follow-up', async () => {
    const { jobs, calls } = jobsThatGet(200, ours);
    await expect(jobs.followUp('job_1', 'More')).resolves.toMatchObject({ kind: 'job' });
    expect(calls).toEqual([
      {
        method: 'POST',
        path: ['v2', 'agent', 'acme', 'job', 'job_1', 'message'],
        body: { prompt: 'More' },
        timeoutMs: 60_000,
      },
    ]);
  });

  it('reads one, with the given time limit', async () => {
    const { jobs, calls } = jobsThatGet(200, ours);
    await expect(jobs.get('job_1', 2_000)).resolves.toMatchObject({ kind: 'job' });
    expect(calls).toEqual([
      { method: 'GET', path: ['v2', 'agent', 'acme', 'job', 'job_1'], timeoutMs: 2_000 },
    ]);
  });
});

describe('a response about a job', () => {
  it.each([
    ['another job', jobBody({ id: 'job_2' })],
    ['no job', { status: 'ok' }],
    ['HTML', undefined],
  ])(
    'is not believed when it shows %s, and the API may have acted on the request',
    async (_name, body) => {
      const { jobs } = jobsThatGet(200, body);
      for (const response of [
        await jobs.get('job_1', 2_000),
        await jobs.followUp('job_1', 'More'),
      ]) {
        expect(response).toMatchObject({
          kind: 'failure',
          failure: {
            status: 200,
            didNothing: false,
            error: {
              reason: 'unreadable-answer',
              what: 'the API at api.example sent a response about job job_1 that is not an agent job',
            },
          },
        });
      }
    },
  );

  it.each([{ id: 'job_1' }, { status: 'active' }])(
    'needs only one of id and status, if the request names the job: %j',
    async (body) => {
      const { jobs } = jobsThatGet(200, body);
      const read = { kind: 'job', job: { id: 'job_1', status: 'active' } };
      await expect(jobs.followUp('job_1', 'More')).resolves.toMatchObject(read);
      await expect(jobs.get('job_1', 2_000)).resolves.toMatchObject(read);
    },
  );

  it('needs an id if the request starts the job', async () => {
    const read = { kind: 'job', job: { id: 'job_1', status: 'active' } };
    const { jobs } = jobsThatGet(201, { id: 'job_1' });
    await expect(jobs.create('Do it')).resolves.toMatchObject(read);
    const { jobs: nameless } = jobsThatGet(201, { status: 'active' });
    await expect(nameless.create('Do it')).resolves.toMatchObject({ kind: 'failure' });
  });

  it('that is not found is about the job if there is one, otherwise about the project', async () => {
    const { jobs } = jobsThatGet(404, { error: 'no' });
    const reasons = [
      await jobs.create('Do it'),
      await jobs.followUp('job_1', 'More'),
      await jobs.get('job_1', 2_000),
    ].map((response) => response.kind === 'failure' && response.failure.error.reason);
    expect(reasons).toEqual(['project-not-found', 'job-not-found', 'job-not-found']);
  });
});
