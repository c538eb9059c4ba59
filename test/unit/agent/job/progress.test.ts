import { describe, expect, it } from 'vitest';
import { beginProgress, type Step, takeAnswer, type Waiting } from '../../../src/agent/progress.ts';
import type { JobResponse } from '../../../src/platform/jobs.ts';
import { job, pullRequest, refused, saw } from '../../helpers/jobs.ts';

/** A monotonic clock can begin anywhere: a sum taken for a difference must show. */
const sinceMs = 10_000_000;

const created: Waiting = {
  origin: 'create',
  jobId: 'job_1',
  job: job(),
  sinceMs,
  deadlineMs: sinceMs + 3_600_000,
};
const before = job({ status: 'completed', pullRequest });
const followedUp: Waiting = { ...created, origin: 'follow-up', job: before, before };

/** What follows from the last of some looks, all of them so long after the start. */
function stepAfter(waiting: Waiting, answers: readonly JobResponse[], waitedMs: number): Step {
  let step: Step = { kind: 'go-on', progress: beginProgress(waiting) };
  for (const answer of answers) {
    if (step.kind === 'go-on') {
      step = takeAnswer(waiting, step.progress, answer, sinceMs + waitedMs);
    }
  }
  return step;
}

describe('a look', () => {
  it.each([
    ['at a job at work', created, saw()],
    ['at a completed job without a link', created, saw({ status: 'completed' })],
    ['that failed', created, refused(503)],
    ['at what was there before the follow-up', followedUp, saw(before)],
  ])('%s is not the last', (_name, waiting, answer) => {
    expect(stepAfter(waiting, [answer], 5_000)).toMatchObject({ kind: 'go-on' });
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
    expect(stepAfter({ ...created, origin: 'attach' }, threeNotFound, 0).kind).toBe('refused');
    expect(stepAfter(followedUp, threeNotFound, 0).kind).toBe('refused');
  });

  it('may show what was there before a follow-up for two minutes', () => {
    expect(stepAfter(followedUp, [saw(before)], 119_999).kind).toBe('go-on');
    expect(stepAfter(followedUp, [saw(before)], 120_000)).toEqual({
      kind: 'ended',
      job: before,
      mayNotHaveBegun: true,
    });
  });
});
