import { describe, expect, it } from 'vitest';
import {
  beginProgress,
  type Progress,
  takeResponse,
  withFieldsOf,
} from '../../../../src/agent/job/progress.ts';
import type { StartedJob } from '../../../../src/agent/job/started-job.ts';
import { isFinal, type JobResponse, jobStatuses } from '../../../../src/platform/job.ts';
import { found, job, pullRequest, refused } from '../../../helpers/jobs.ts';

/** Not zero, because otherwise a sum instead of a difference would go unnoticed. */
const sinceMs = 10_000_000;

const created: StartedJob = {
  source: 'created',
  id: 'job_1',
  job: job(),
  sentMs: sinceMs,
  sinceMs,
};
const before = job({ status: 'completed', pullRequest });
const followedUp: StartedJob = { ...created, source: 'followed-up', job: before, before };

/** What is known after several polls, all at the same time after the start. */
function progressAfter(
  started: StartedJob,
  responses: readonly JobResponse[],
  waitedMs: number,
): Progress {
  return responses.reduce(
    (progress, response) => takeResponse(started, progress, response, sinceMs + waitedMs),
    beginProgress(started),
  );
}

describe('a poll', () => {
  it.each([
    ['that shows an active job', created, found()],
    ['that shows a completed job without a link', created, found({ status: 'completed' })],
    ['that failed', created, refused(503)],
    ['that shows the state from before the follow-up', followedUp, found(before)],
  ])('%s is not the last', (_name, started, response) => {
    expect(progressAfter(started, [response], 5_000).end).toBeUndefined();
  });

  it.each(jobStatuses)('with the status %s is the last if that status is final', (status) => {
    const { end } = progressAfter(created, [found({ status, pullRequest })], 5_000);
    expect(end !== undefined).toBe(isFinal(status));
  });

  const threeNotFound = [refused(404), refused(404), refused(404)];

  it.each(['created', 'resumed'] as const)('may not find a %s job for a minute', (source) => {
    const { job: _unread, ...rest } = created;
    for (const started of [created, rest].map((each) => ({ ...each, source }))) {
      expect(progressAfter(started, threeNotFound, 60_000).end).toBeUndefined();
      expect(() => progressAfter(started, threeNotFound, 60_001)).toThrow('Failure 404');
    }
  });

  it('must find every other job', () => {
    for (const started of [{ ...created, source: 'attached' } as const, followedUp]) {
      expect(() => progressAfter(started, threeNotFound, 0)).toThrow('Failure 404');
    }
  });

  it('shows that a job ended, or that the agent may not have started on a follow-up', () => {
    const bare = job({ status: 'completed' });
    const sent: StartedJob = { ...followedUp, job: bare, before: bare };
    const ended = [found(bare), found(bare), found(bare)];
    const ends = [created, sent].map((each) => progressAfter(each, ended, 120_000).end);
    expect(ends).toMatchObject([{ mayNotHaveBegun: false }, { mayNotHaveBegun: true }]);
  });

  it.each([
    ['before the follow-up', { before: job({ unknownStatus: '' }), job: before }],
    ['in the response to it', { before, job: job({ unknownStatus: '' }) }],
  ])('can still show the earlier state if a status was missing %s', (_name, fields) => {
    const started = { ...followedUp, ...fields };
    const linked = { ...started, before: { ...started.before, pullRequest } };
    expect(progressAfter(linked, [found(before)], 119_999).end).toBeUndefined();
    expect(progressAfter(linked, [found(before)], 120_000).end).toBeDefined();
  });

  it('can show the earlier state for two minutes after a follow-up', () => {
    expect(progressAfter(followedUp, [found(before)], 119_999).end).toBeUndefined();
    expect(progressAfter(followedUp, [found(before)], 120_000).end).toEqual({
      result: 'pull-request',
      job: before,
      url: pullRequest.url,
    });
  });
});

const bare = { repository: '', ref: '', model: '', createdAt: '', archivedAt: '' };

describe('the job of a later response', () => {
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
