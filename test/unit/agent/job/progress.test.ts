import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resumed } from '../../../../src/agent/earlier/record.ts';
import { type FollowUp, followUpOf } from '../../../../src/agent/job/follow-up.ts';
import type { PolledJob } from '../../../../src/agent/job/polled-job.ts';
import {
  beginProgress,
  isAssumedActive,
  type Progress,
  takeResponse,
  withFieldsOf,
} from '../../../../src/agent/job/progress.ts';
import type { Reply } from '../../../../src/platform/ask.ts';
import type { Job } from '../../../../src/platform/job.ts';
import { failed, found, job, jobRecord, pullRequest, refused } from '../../../helpers/agent.ts';
import { fakeClock } from '../../../helpers/fake-runner.ts';

/** Not zero, because otherwise a sum instead of a difference would go unnoticed. */
const sentMs = 10_000_000;

const created: PolledJob = { source: 'created', id: 'job_1', sentMs, sinceMs: 0 };
const before = job({ status: 'completed', pullRequest });
const followedUp: PolledJob = { ...created, source: 'followed-up' };
const followUp = followUpOf(before, undefined);
/** What is known after a follow-up to which the API responded with the job as it was before. */
const sent = beginProgress(before, followUp);

/** What is known after several polls, all at the same time after the request was sent. */
function progressAfter(
  started: PolledJob,
  begun: Progress,
  responses: readonly Reply<Job>[],
  ageMs: number,
) {
  return responses.reduce(
    (progress, response) => takeResponse(started, progress, response, sentMs + ageMs),
    begun,
  );
}

describe('a poll', () => {
  const threeNotFound = [refused(404), refused(404), refused(404)];

  it.each(['created', 'resumed'] as const)('may not find a %s job for a minute', (source) => {
    const started = { ...created, source };
    for (const begun of [beginProgress(job()), beginProgress()]) {
      const { phase } = progressAfter(started, begun, threeNotFound, 60_000);
      expect(phase).toEqual({ at: 'active' });
      expect(() => progressAfter(started, begun, threeNotFound, 60_001)).toThrow('Failure 404');
    }
  });

  it('must find every other job', () => {
    for (const [source, begun] of [
      ['attached', beginProgress(job())],
      ['followed-up', sent],
    ] as const) {
      expect(() => progressAfter({ ...created, source }, begun, threeNotFound, 0)).toThrow(
        'Failure 404',
      );
    }
  });

  const linked = job({ unknownStatus: '', pullRequest });

  it.each([
    ['', sent],
    [', whose status was missing', beginProgress(before, followUpOf(linked, undefined))],
    [', of which the response said no status', beginProgress(job({ unknownStatus: '' }), followUp)],
  ])('can show a job from before a follow-up for ten minutes%s', (_name, begun) => {
    const confirmed = [found(before), found(before), found(before)];
    const unsettled = progressAfter(followedUp, begun, confirmed, 599_999);
    expect(unsettled).toMatchObject({ job: { status: 'active' }, phase: { at: 'unsettled' } });
    expect(isAssumedActive(unsettled)).toBe(true);
    const unconfirmed = progressAfter(followedUp, begun, confirmed.slice(1), 600_000);
    expect(unconfirmed).toMatchObject({
      job: before,
      phase: { at: 'confirming', pollsLeft: 1 },
    });
    expect(isAssumedActive(unconfirmed)).toBe(false);
    const ended = progressAfter(followedUp, begun, confirmed, 600_000);
    expect(ended).toMatchObject({ job: before, phase: { at: 'ended' } });
  });

  const proofless: fc.Arbitrary<Reply<Job>> = fc.constantFrom(
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
          sent,
        );
        expect(last.job?.status).toBe('active');
        expect([
          last.phase.at === 'ended',
          last.followUp?.wasActive,
          isAssumedActive(last),
        ]).toEqual([false, false, true]);
      }),
    );
  });

  it('is believed at once if this step or an earlier attempt has seen the job active', () => {
    const polls = [found(before), found(before), found(before)];
    const end = { job: before, phase: { at: 'ended' } };
    expect(progressAfter(followedUp, sent, [found(), ...polls], 0)).toMatchObject(end);
    const resumed = { ...followedUp, source: 'resumed' } as const;
    const seenActive = beginProgress(undefined, { ...followUp, wasActive: true });
    expect(progressAfter(resumed, seenActive, polls, 0)).toMatchObject(end);
    expect(progressAfter(resumed, seenActive, polls.slice(1), 0)).not.toMatchObject(end);
  });

  it('shows whether the job is active, unless its status is missing or unknown', () => {
    const isAssumed = (...responses: Reply<Job>[]) =>
      isAssumedActive(progressAfter(followedUp, sent, responses, 0));
    const none = found(job({ unknownStatus: '' }));
    expect(isAssumed(none)).toBe(true);
    expect(isAssumed(none, found(job()))).toBe(false);
    expect(isAssumed(found(job({ unknownStatus: 'parked' })))).toBe(true);
    expect(isAssumedActive(beginProgress(job(), followUp))).toBe(false);
    expect(isAssumedActive(sent)).toBe(true);
  });

  it('shows the job as active until one shows its end', () => {
    expect(beginProgress(job({ status: 'failed' }), followUp).job?.status).toBe('active');
    const resumed = { ...followedUp, source: 'resumed' } as const;
    const read = (state: Job, ageMs: number, fields: Partial<FollowUp> = {}) =>
      progressAfter(
        resumed,
        beginProgress(undefined, { ...followUp, ...fields }),
        [found(state)],
        ageMs,
      ).job?.status;
    expect(read(before, 599_999)).toBe('active');
    expect(read(before, 0, { wasActive: true })).toBe('completed');
    expect(read(before, 600_000)).toBe('completed');
    expect(read(job({ status: 'failed' }), 0)).toBe('failed');
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

it('the age of a job that is resumed counts from when its request was sent', () => {
  const clock = fakeClock();
  const sentAtMs = clock.epochMs() - 5000;
  const times = { sentMs: clock.nowMs() - 5000, sinceMs: clock.nowMs() };
  const started = { source: 'resumed', id: 'job_1', ...times };
  expect(resumed(jobRecord({ sentAtMs }), clock)).toEqual(started);
  // The clocks of two runners can differ.
  const later = jobRecord({ sentAtMs: sentAtMs + 60_000 });
  expect(resumed(later, clock).sentMs).toBe(clock.nowMs());
});
