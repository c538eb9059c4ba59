import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resumed } from '../../../../src/agent/earlier/record.ts';
import {
  beginProgress,
  endOf,
  isAssumedActive,
  takeResponse,
  withFieldsOf,
} from '../../../../src/agent/job/progress.ts';
import type { StartedJob } from '../../../../src/agent/job/started-job.ts';
import { stateBefore } from '../../../../src/agent/job/state-before.ts';
import type { JobResponse } from '../../../../src/platform/job.ts';
import { failed, found, job, jobRecord, pullRequest, refused } from '../../../helpers/agent.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';

/** Not zero, because otherwise a sum instead of a difference would go unnoticed. */
const sentMs = 10_000_000;

const created: StartedJob = { source: 'created', id: 'job_1', job: job(), sentMs, sinceMs: 0 };
const before = job({ status: 'completed', pullRequest });
const followedUp: StartedJob = {
  ...created,
  source: 'followed-up',
  job: before,
  before: stateBefore(before, undefined),
};

/** What is known after several polls, all at the same time after the request was sent. */
function progressAfter(started: StartedJob, responses: readonly JobResponse[], ageMs: number) {
  return responses.reduce(
    (progress, response) => takeResponse(started, progress, response, sentMs + ageMs),
    beginProgress(started),
  );
}

describe('a poll', () => {
  const threeNotFound = [refused(404), refused(404), refused(404)];

  it.each(['created', 'resumed'] as const)('may not find a %s job for a minute', (source) => {
    const { job: _unread, ...rest } = created;
    for (const started of [created, rest].map((each) => ({ ...each, source }))) {
      expect(endOf(progressAfter(started, threeNotFound, 60_000))).toBeUndefined();
      expect(() => progressAfter(started, threeNotFound, 60_001)).toThrow('Failure 404');
    }
  });

  it('must find every other job', () => {
    for (const started of [{ ...created, source: 'attached' } as const, followedUp]) {
      expect(() => progressAfter(started, threeNotFound, 0)).toThrow('Failure 404');
    }
  });

  const linked = job({ unknownStatus: '', pullRequest });

  it.each([
    ['', {}],
    [', whose status was missing', { before: stateBefore(linked, undefined) }],
    [', of which the response said no status', { job: job({ unknownStatus: '' }) }],
  ])('can show a job from before a follow-up for ten minutes%s', (_name, fields) => {
    const started = { ...followedUp, ...fields };
    const confirmed = [found(before), found(before), found(before)];
    const unsettled = progressAfter(started, confirmed, 599_999);
    expect(unsettled).toMatchObject({ job: { status: 'active' }, phase: { at: 'unsettled' } });
    expect(isAssumedActive(unsettled)).toBe(true);
    const unconfirmed = progressAfter(started, confirmed.slice(1), 600_000);
    expect(unconfirmed).toMatchObject({ job: before, phase: { at: 'confirming', polls: 1 } });
    expect(isAssumedActive(unconfirmed)).toBe(false);
    const ended = progressAfter(started, confirmed, 600_000);
    expect(ended.job).toEqual(before);
    const end = { result: 'pull-request', job: before, url: pullRequest.url };
    expect(endOf(ended)).toEqual(end);
  });

  const proofless: fc.Arbitrary<JobResponse> = fc.constantFrom(
    found(before),
    found(job({ unknownStatus: '' })),
    found(job({ unknownStatus: 'parked' })),
    failed(),
  );
  const ages = fc.oneof(fc.double({ min: 0, max: 599_999.9, noNaN: true }), fc.constant(0));

  it('ends nothing within ten minutes unless it shows the job active, or how it was never before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(proofless, ages), { minLength: 1 }), (polls) => {
        const inOrder = polls.toSorted(([, one], [, other]) => one - other);
        const last = inOrder.reduce(
          (progress, [response, ageMs]) =>
            takeResponse(followedUp, progress, response, sentMs + ageMs),
          beginProgress(followedUp),
        );
        expect(last.job?.status).toBe('active');
        expect([endOf(last), last.wasActive, isAssumedActive(last)]).toEqual([
          undefined,
          false,
          true,
        ]);
      }),
    );
  });

  it('is believed at once if this step or an earlier attempt has seen the job active', () => {
    const polls = [found(before), found(before), found(before)];
    const end = { result: 'pull-request', job: before, url: pullRequest.url };
    expect(endOf(progressAfter(followedUp, [found(), ...polls], 0))).toEqual(end);
    const resumed = { ...followedUp, source: 'resumed', wasActive: true } as const;
    expect(endOf(progressAfter(resumed, polls, 0))).toEqual(end);
    expect(endOf(progressAfter(resumed, polls.slice(1), 0))).toBeUndefined();
  });

  it('shows whether the job is active, unless its status is missing or unknown', () => {
    const isAssumed = (...responses: JobResponse[]) =>
      isAssumedActive(progressAfter(followedUp, responses, 0));
    const none = found(job({ unknownStatus: '' }));
    expect(isAssumed(none)).toBe(true);
    expect(isAssumed(none, found(job()))).toBe(false);
    expect(isAssumed(found(job({ unknownStatus: 'parked' })))).toBe(true);
    expect(isAssumedActive(beginProgress({ ...followedUp, job: job() }))).toBe(false);
    expect(isAssumedActive(beginProgress(followedUp))).toBe(true);
  });

  it('shows the job as active until one shows its end', () => {
    const begun = (fields: Partial<StartedJob>) => beginProgress({ ...followedUp, ...fields }).job;
    expect(begun({ job: job({ status: 'failed' }) })).toMatchObject({ status: 'active' });
    const resumed = { source: 'resumed', sinceMs: sentMs + 599_999 } as const;
    expect(begun(resumed)).toMatchObject({ status: 'active' });
    expect(begun({ ...resumed, wasActive: true })).toEqual(before);
    expect(begun({ ...resumed, sinceMs: sentMs + 600_000 })).toEqual(before);
    expect(begun({ ...resumed, job: job({ status: 'failed' }) })).toMatchObject({
      status: 'failed',
    });
  });
});

describe('the job of a later response', () => {
  const full = job({ archivedAt: '2026-01-05T09:00:00Z' });
  const changed = job({
    status: 'completed',
    pullRequest,
    repository: 'acme/other',
    ref: 'other',
    model: 'model-2',
    createdAt: '2026-01-06T08:00:00Z',
    archivedAt: '2026-01-06T09:00:00Z',
  });

  it('keeps the optional fields that it lacks, but neither status nor link', () => {
    const bare = { repository: '', ref: '', model: '', createdAt: '', archivedAt: '' };
    const ended = { ...full, status: 'completed', pullRequest } as const;
    expect(withFieldsOf(ended, job(bare))).toEqual(full);
    expect(withFieldsOf(full, changed)).toEqual(changed);
  });
});

it('a job that is resumed has what its record knows from before the follow-up', () => {
  const clock = fakeClock();
  const sentAtMs = clock.todayMs() - 5000;
  const ago = { id: 'job_1', sentMs: clock.nowMs() - 5000, sinceMs: clock.nowMs() };
  const earlier = stateBefore(job({ status: 'failed' }), 'abc');
  const followUp = jobRecord({ sent: 'follow-up', before: earlier, sentAtMs });
  const known = { source: 'resumed', ...ago, before: undefined, wasActive: false };
  expect(resumed(followUp, clock)).toEqual({ ...known, before: earlier });
  expect(resumed(jobRecord({ sentAtMs, wasActive: true }), clock)).toEqual({
    ...known,
    wasActive: true,
  });
  // The clocks of two runners can differ.
  const later = jobRecord({ sentAtMs: sentAtMs + 60_000 });
  expect(resumed(later, clock).sentMs).toBe(clock.nowMs());
});
