import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/platform/client.ts';
import {
  createJobs,
  isFinal,
  isJobId,
  isProjectId,
  jobStatuses,
  parseJob,
} from '../../../src/platform/job.ts';
import { apiResponse, fakeClient } from '../../helpers/fake-client.ts';
import { jobBody } from '../../helpers/servers.ts';

const server = 'https://github.com';

/** The outcome of each request about a job, whose API gives this response, and what was sent. */
async function askedFor(status: number, body: unknown) {
  const sent: ApiRequest[] = [];
  const client = fakeClient(async (request) => {
    sent.push(request);
    return apiResponse(status, body);
  });
  const jobs = createJobs(client, 'acme', server);
  const created = await jobs.create('Do it');
  const followedUp = await jobs.followUp('job_1', 'More');
  const read = await jobs.get('job_1', 2_000);
  return { sent, created, followedUp, read };
}

describe('a request about a job', () => {
  it('creates one, sends a follow-up, and reads one', async () => {
    const { sent } = await askedFor(200, jobBody({ id: 'job_1' }));
    const job = ['v2', 'agent', 'acme', 'job'];
    const post = { method: 'POST', timeoutMs: 60_000 };
    expect(sent).toEqual([
      { ...post, path: job, body: { prompt: 'Do it' } },
      { ...post, path: [...job, 'job_1', 'message'], body: { prompt: 'More' } },
      { method: 'GET', path: [...job, 'job_1'], timeoutMs: 2_000 },
    ]);
  });

  it.each([
    ['another job', jobBody({ id: 'job_2' })],
    ['no job', { status: 'ok' }],
    ['HTML', undefined],
  ])('is not believed that shows %s, and may have had an effect', async (_name, body) => {
    const { followedUp, read } = await askedFor(200, body);
    const what = 'the API at api.example sent a response that is not an agent job';
    const error = expect.objectContaining({ reason: 'unreadable-answer', what });
    const failure = { status: 200, isFromApi: false, didNothing: false, error };
    expect([followedUp, read]).toEqual([
      { kind: 'failure', failure },
      { kind: 'failure', failure },
    ]);
  });

  it.each([
    [{ id: 'job_1' }, 'success'],
    [{ status: 'active' }, 'failure'],
  ])('needs only one of id and status, but an id if it starts the job: %j', async (body, kind) => {
    const job = expect.objectContaining({ id: 'job_1', status: 'active' });
    const { created, followedUp, read } = await askedFor(201, body);
    expect([created.kind, followedUp, read]).toEqual([
      kind,
      { kind: 'success', value: job },
      { kind: 'success', value: job },
    ]);
  });

  it('that is refused says why, about the job that it names', async () => {
    const adviceOf = async (status: number) => {
      const { created, followedUp, read } = await askedFor(status, { error: 'no' });
      return [created, followedUp, read].map((response) =>
        response.kind === 'failure' ? response.failure.error.advice : '',
      );
    };
    const limit =
      'the limits of a project are 100 new jobs and 100 follow-ups an hour, so wait a while and re-run the workflow';
    expect(await adviceOf(429)).toEqual([limit, limit, limit]);
    const missing = 'there is no job job_1 in project acme, so check job-id and project-id';
    expect((await adviceOf(404)).slice(1)).toEqual([missing, missing]);
    const needsWrite = (await adviceOf(403)).map((advice) => advice.includes('that can write'));
    expect(needsWrite).toEqual([true, true, false]);
    expect((await askedFor(300, jobBody())).created.kind).toBe('failure');
  });
});

describe('a job', () => {
  const empty = {
    id: 'a',
    status: 'active',
    unknownStatus: '',
    pullRequest: { kind: 'none' },
    repository: '',
    ref: '',
    model: '',
    createdAt: '',
    archivedAt: '',
  };

  it('is read whole', () => {
    const source = { repository: 'acme/docs', ref: null };
    expect(parseJob(jobBody({ archivedAt: '2026-01-05T09:00:00.000+00:00' }), server)).toEqual({
      id: 'job_8f2',
      status: 'active',
      pullRequest: { kind: 'none' },
      repository: 'acme/docs',
      ref: 'docs-agent/job_8f2',
      model: 'model-1',
      createdAt: '2026-01-05T08:00:00Z',
      archivedAt: '2026-01-05T09:00:00.000+00:00',
    });
    expect(parseJob({ id: 'a', source }, server)).toEqual({ ...empty, repository: 'acme/docs' });
  });

  it('has ended with each final status', () => {
    expect(jobStatuses.filter(isFinal)).toEqual(['completed', 'archived', 'failed']);
    const { unknownStatus, ...known } = empty;
    for (const status of jobStatuses) {
      expect(parseJob({ id: 'a', status }, server)).toEqual({ ...known, status });
    }
  });

  it.each([
    [undefined, ''],
    [null, ''],
    [7, ''],
    ['unheard-of', 'unheard-of'],
    ['Completed', 'Completed'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), ''],
  ])('with a status of %j counts as active', (status, unknownStatus) => {
    expect(parseJob({ id: 'a', status }, server)).toEqual({ ...empty, unknownStatus });
  });

  it.each([
    ['model', 'x'.repeat(501)],
    ['model', 7],
    ['createdAt', 'yesterday'],
    ['createdAt', `2026-01-05T08:00:00Z${' '.repeat(21)}`],
    ['archivedAt', 1_767_600_000],
    ['source', 'acme/docs'],
  ])('loses a %s of %j, and nothing else', (field, value) => {
    expect(parseJob({ id: 'a', [field]: value }, server)).toEqual(empty);
  });

  it('keeps a long text', () => {
    expect(parseJob({ id: 'a', model: 'x'.repeat(500) }, server)).toMatchObject({
      model: 'x'.repeat(500),
    });
  });

  it.each([undefined, null, 'job_8f2', [], {}, { status: 'active' }, { id: 8 }, { id: '..' }])(
    'is not read from %j',
    (body) => {
      expect(parseJob(body, server)).toBeUndefined();
    },
  );

  it.each([
    [{ status: 'failed' }, 'failed'],
    [{ status: 'failed', id: null }, 'failed'],
    [{ id: 'job_8f2' }, 'active'],
    [{}, undefined],
    [{ status: 'ok' }, undefined],
    [{ id: 8, status: 'active' }, undefined],
    [{ id: '', status: 'active' }, undefined],
    [{ id: 'job_other', status: 'active' }, undefined],
  ])('that was asked for is read from %j as %s', (body, status) => {
    expect(parseJob(body, server, 'job_8f2')?.status).toBe(status);
  });
});

it.each([
  ['an id', 'job_8f2 äöü/%20?#', true],
  ['96 bytes', 'ä'.repeat(48), true],
  ['97 bytes', `${'ä'.repeat(48)}a`, false],
  ['nothing', '', false],
  ['a blank before', ' a', false],
  ['a line end', 'a\nb', false],
  ['an invisible character', 'a\u200bb', false],
  ['half a character', 'a\ud800', false],
  ['one dot', '.', false],
  ['two dots', '..', false],
  ['three dots', '...', true],
])('%s can be a job id: %j is %s', (_name, text, expected) => {
  expect(isJobId(text)).toBe(expected);
});

it.each([
  ['a-Z_0.9:x', true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['a/b', false],
  ['a b', false],
  ['a\n', false],
  ['', false],
  ['..', false],
])('%j can be a project id: %s', (text, expected) => {
  expect(isProjectId(text)).toBe(expected);
});
