import { describe, expect, it } from 'vitest';
import { beginProgress, type Step, takeResponse } from '../../../../src/agent/job/progress.ts';
import type { StartedJob } from '../../../../src/agent/job/start.ts';
import { isFinal, jobStatuses } from '../../../../src/platform/job.ts';
import type { JobResponse } from '../../../../src/platform/jobs.ts';
import { found, job, pullRequest, refused } from '../../../helpers/jobs.ts';

/** Not zero, because otherwise a sum instead of a difference would go unnoticed. */
const sinceMs = 10_000_000;

const created: StartedJob = {
  source: 'created',
  id: 'job_1',
  job: job(),
  sentMs: sinceMs,
  sinceMs,
  deadlineMs: sinceMs + 3_600_000,
};
const before = job({ status: 'completed', pullRequest });
const followedUp: StartedJob = { ...created, source: 'followed-up', job: before, before };

/** The outcome of the last of several polls, all at the same time after the start. */
function stepAfter(started: StartedJob, responses: readonly JobResponse[], waitedMs: number): Step {
  let step: Step = { kind: 'go-on', progress: beginProgress(started) };
  for (const response of responses) {
    if (step.kind === 'go-on') {
      step = takeResponse(started, step.progress, response, sinceMs + waitedMs);
    }
  }
  return step;
}

describe('a poll', () => {
  it.each([
    ['that shows an active job', created, found()],
    ['that shows a completed job without a link', created, found({ status: 'completed' })],
    ['that failed', created, refused(503)],
    ['that shows the state from before the follow-up', followedUp, found(before)],
  ])('%s is not the last', (_name, started, response) => {
    expect(stepAfter(started, [response], 5_000)).toMatchObject({ kind: 'go-on' });
  });

  it.each(jobStatuses)('with the status %s is the last if that status is final', (status) => {
    const response = found({ status, pullRequest });
    expect(stepAfter(created, [response], 5_000).kind).toBe(isFinal(status) ? 'ended' : 'go-on');
  });

  const threeNotFound = [refused(404), refused(404), refused(404)];

  it('may not find a created job for a minute', () => {
    expect(stepAfter(created, threeNotFound, 60_000).kind).toBe('go-on');
    expect(stepAfter(created, threeNotFound, 60_001)).toMatchObject({
      kind: 'refused',
      error: { what: 'failure 404' },
    });
  });

  it('must find every other job', () => {
    expect(stepAfter({ ...created, source: 'attached' }, threeNotFound, 0).kind).toBe('refused');
    expect(stepAfter(followedUp, threeNotFound, 0).kind).toBe('refused');
  });

  it('shows that a job ended, or that the agent may not have started on a follow-up', () => {
    const bare = job({ status: 'completed' });
    const sent: StartedJob = { ...followedUp, job: bare, before: bare };
    const ended = [found(bare), found(bare), found(bare)];
    const [certain, doubtful] = [created, sent].map((each) => stepAfter(each, ended, 120_000));
    expect(certain).toMatchObject({ kind: 'ended', result: { mayNotHaveBegun: false } });
    expect(doubtful).toMatchObject({ kind: 'ended', result: { mayNotHaveBegun: true } });
  });

  it('can show the earlier state for two minutes after a follow-up', () => {
    expect(stepAfter(followedUp, [found(before)], 119_999).kind).toBe('go-on');
    expect(stepAfter(followedUp, [found(before)], 120_000)).toEqual({
      kind: 'ended',
      result: { result: 'pull-request', job: before, url: pullRequest.url },
    });
  });
});
