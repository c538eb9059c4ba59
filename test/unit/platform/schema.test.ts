import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/platform/failure.ts';
import { jobStatuses, readJob } from '../../../src/platform/job.ts';
import { jobBody } from '../../helpers/servers.ts';

describe('a job', () => {
  it('is read whole', () => {
    expect(readJob(jobBody({ archivedAt: '2026-01-05T09:00:00Z' }))).toEqual({
      id: 'job_8f2',
      status: 'active',
      pullRequest: { kind: 'none' },
      repository: 'acme/docs',
      ref: 'docs-agent/job_8f2',
      model: 'model-1',
      createdAt: '2026-01-05T08:00:00Z',
      archivedAt: '2026-01-05T09:00:00Z',
    });
  });

  it.each(jobStatuses)('can have the status %s', (status) => {
    expect(readJob({ id: 'a', status })).toMatchObject({ status });
    expect(readJob({ id: 'a', status })).not.toHaveProperty('unknownStatus');
  });

  it('needs only an id and a status', () => {
    expect(readJob({ id: 'a', status: 'failed' })).toEqual({
      id: 'a',
      status: 'failed',
      pullRequest: { kind: 'none' },
      repository: '',
      ref: '',
      model: '',
      createdAt: '',
      archivedAt: '',
    });
  });

  it('keeps the rest of a source that has no ref', () => {
    const source = { repository: 'acme/docs', ref: null };
    expect(readJob(jobBody({ source }))).toMatchObject({ repository: 'acme/docs', ref: '' });
  });

  it.each([
    ['model', 'x'.repeat(501)],
    ['model', 7],
    ['createdAt', 'yesterday'],
    ['createdAt', `2026-01-05T08:00:00Z${' '.repeat(40)}`],
    ['createdAt', 1_767_600_000],
    ['archivedAt', 'never'],
  ])('loses a %s of %j, and nothing else', (field, value) => {
    expect(readJob(jobBody({ [field]: value }))).toEqual(readJob(jobBody({ [field]: undefined })));
    expect(readJob(jobBody({ [field]: value }))).toMatchObject({ id: 'job_8f2', [field]: '' });
  });

  it.each(jobStatuses)('can be %s', (status) => {
    const job = readJob(jobBody({ status }));
    expect(job).toMatchObject({ status });
    expect(job).not.toHaveProperty('unknownStatus');
  });

  it('with an unknown status counts as active', () => {
    expect(readJob(jobBody({ status: 'unheard-of' }))).toMatchObject({
      status: 'active',
      unknownStatus: 'unheard-of',
    });
  });

  it.each([
    [undefined],
    [null],
    ['job_8f2'],
    [[]],
    [{}],
    [{ status: 'active' }],
    [jobBody({ id: 8 })],
    [jobBody({ id: '' })],
    [jobBody({ id: 'a\nb' })],
    [jobBody({ id: '.' })],
    [jobBody({ id: '..' })],
    [jobBody({ id: 'x'.repeat(201) })],
  ])('is not read from %j', (body) => {
    expect(readJob(body)).toBeUndefined();
  });

  it.each([undefined, null, 7, 'x'.repeat(101)])(
    'with a status of %j has none, and counts as active',
    (status) => {
      expect(readJob(jobBody({ status }))).toMatchObject({ status: 'active', unknownStatus: '' });
    },
  );

  it.each(jobStatuses)('without an id is the job that was asked for, if it is %s', (status) => {
    for (const body of [{ status }, { status, id: null }]) {
      expect(readJob(body, 'job_8f2')).toMatchObject({ id: 'job_8f2', status });
    }
  });

  it.each([
    {},
    { id: null },
    { status: 'ok' },
    { status: 200 },
    { id: 8, status: 'active' },
    { id: '', status: 'active' },
    { id: 'job_other', status: 'active' },
    { error: 'sign in' },
  ])('that was asked for is not %j', (body) => {
    expect(readJob(body, 'job_8f2')).toBeUndefined();
  });
});

describe("the API's reason", () => {
  it.each([
    [{ error: 'Invalid body' }, 'Invalid body'],
    [
      { error: 'Bad', details: [{ message: 'no limit' }, { message: 'no date' }] },
      'Bad: no limit; no date',
    ],
    [{ error: 'Bad', details: [] }, 'Bad'],
    [{ error: 'Bad', details: 'no limit' }, 'Bad'],
    [{ error: 'Bad', details: [{ text: 'no limit' }] }, 'Bad'],
    [{ error: 7 }, undefined],
    [{ message: 'Invalid body' }, undefined],
    ['Invalid body', undefined],
    [undefined, undefined],
  ])('%j', (body, reason) => {
    expect(readMessage(body)).toBe(reason);
  });
});
