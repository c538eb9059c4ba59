import { describe, expect, it } from 'vitest';
import type { StartedJob } from '../../../../src/agent/job/source.ts';
import { outputs } from '../../../../src/agent/outputs.ts';
import { createProgressLog, type ProgressLog } from '../../../../src/agent/report/progress-log.ts';
import type { AgentState } from '../../../../src/agent/state.ts';
import { createStateStore } from '../../../../src/common/state-store.ts';
import { createOutputWriter } from '../../../../src/runner/outputs.ts';
import { ActionError } from '../../../../src/text/error.ts';
import { type FakeRunner, fakeRunner } from '../../../helpers/fake-runner.ts';
import { job, pullRequest } from '../../../helpers/jobs.ts';

interface Scene extends Pick<FakeRunner, 'clock' | 'news'> {
  readonly log: ProgressLog;
  readonly state: AgentState;
  /** How often a poll found that the job became active again. */
  activations(): number;
}

function scene(setOutput?: () => never): Scene {
  const runner = fakeRunner();
  const writer = createOutputWriter(outputs, setOutput === undefined ? runner : { setOutput });
  const state: AgentState = createStateStore({}, writer);
  let activations = 0;
  const log = createProgressLog(runner, state, 'acme', () => {
    activations += 1;
  });
  const { clock, news } = runner;
  return { log, state, clock, news, activations: () => activations };
}

const created: StartedJob = {
  source: 'create',
  id: 'job_1',
  job: job(),
  sentMs: 1_000,
  sinceMs: 1_000,
  deadlineMs: 9_000,
};
const attached: StartedJob = {
  source: 'attach',
  id: 'job_1',
  sentMs: 1_000,
  sinceMs: 1_000,
  deadlineMs: 9_000,
};
const minuteMs = 60_000;

/** A progress log after its first lines. */
function started(): Scene {
  const whole = scene();
  whole.log.started(created);
  whole.news();
  return whole;
}

describe('the first lines', () => {
  it('have no status after a follow-up, because the API may still return the earlier one', () => {
    const { log, news } = scene();
    const ended = job({ status: 'completed', pullRequest });
    log.started({ ...created, source: 'follow-up', job: ended });
    expect(news()).toContain('notice: Docs agent: sent a follow-up to job job_1 in project acme.');
  });

  it('have no duration for the first poll of a job that this step did not start', () => {
    const { log, news } = scene();
    log.started(attached);
    log.polled(job({ status: 'failed' }), 5_000);
    expect(news()).toEqual(
      expect.arrayContaining([
        'notice: Docs agent: waiting for job job_1 in project acme.',
        'info: Job job_1 has failed.',
      ]),
    );
  });
});

describe('outputs', () => {
  it('are written as soon as the job is known, before anything is printed', () => {
    const { log, news, state } = scene();
    log.started(created);
    expect(news()).toEqual([
      'status=active',
      'job-id=job_1',
      'job-source=created',
      'repository=acme/docs',
      'ref=docs-agent/job_1',
      'model=model-1',
      'created-at=2026-01-05T08:00:00Z',
      'notice: Docs agent: started job job_1 in project acme.',
    ]);
    expect(state.current).toEqual({ job: job(), source: 'create', sinceMs: 1_000 });
  });

  it('that cannot be written do not lose the job', () => {
    const { log, state } = scene(() => {
      throw new Error('no space left');
    });
    expect(() => log.started(created)).toThrow('no space left');
    expect(state.current.job).toEqual(job());
  });

  it('are written again only when they changed', () => {
    const { log, news } = started();
    log.polled(job(), 5_000);
    expect(news()).toEqual([]);
    log.polled(job({ status: 'completed', pullRequest }), 10_000);
    expect(news()).toEqual(['status=completed', 'info: Job job_1 has completed after 10 s.']);
  });

  it('keep fields that a later response lacks', () => {
    const { log, news, state } = scene();
    const full = job({ archivedAt: '2026-01-05T09:00:00Z' });
    log.started({ ...created, job: full });
    news();
    const bare = { repository: '', ref: '', model: '', createdAt: '', archivedAt: '' };
    log.polled(job(bare), 5_000);
    expect(news()).toEqual([]);
    expect(state.current.job).toEqual(full);
  });

  it('wait for the response that has them', () => {
    const { log, news } = scene();
    const bare = { repository: '', ref: '', model: '', createdAt: '' };
    log.started({ ...created, job: job(bare) });
    expect(news()).toEqual([
      'status=active',
      'job-id=job_1',
      'job-source=created',
      'notice: Docs agent: started job job_1 in project acme.',
    ]);
    log.polled(job(), 5_000);
    expect(news()).toEqual([
      'repository=acme/docs',
      'ref=docs-agent/job_1',
      'model=model-1',
      'created-at=2026-01-05T08:00:00Z',
    ]);
  });

  it('have no pull request before the end is certain, because it may be from before', () => {
    const { log, news } = scene();
    log.before(job({ status: 'completed', pullRequest }));
    expect(news().join()).not.toContain('pr-link');
    log.started({ ...created, source: 'follow-up' });
    expect(news()).toEqual([
      'status=active',
      'job-source=followed-up',
      'notice: Docs agent: sent a follow-up to job job_1 in project acme.',
    ]);
  });
});

describe('the log', () => {
  it('has one line for each change of status', () => {
    const { log, news } = started();
    for (const status of ['active', 'completed', 'completed', 'active'] as const) {
      log.polled(job({ status }), 5_000);
    }
    expect(news().filter((line) => line.startsWith('info'))).toEqual([
      'info: Job job_1 has completed after 5 s.',
      'info: Job job_1 is active after 5 s.',
    ]);
  });

  it('has one line for each delay before the job is started', () => {
    const { log, news } = scene();
    const failure = { isFromApi: true, didNothing: true };
    log.retrying(
      { ...failure, error: new ActionError('rate-limited', 'it said 429', 'wait') },
      2_000,
    );
    log.retrying(
      { ...failure, error: new ActionError('rate-limited', 'it said 429', 'wait') },
      90_000,
    );
    expect(news()).toEqual([
      'info: Nothing was started, because it said 429; the next attempt is in 2 s.',
      'info: Nothing was started, because it said 429; the next attempt is in 1 min 30 s.',
    ]);
  });

  it('calls back when a job becomes active again, and at no other poll', () => {
    const { log, activations } = started();
    const counts = (['active', 'completed', 'active', 'active'] as const).map((status) => {
      log.polled(job({ status }), 5_000);
      return activations();
    });
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it('has a heartbeat once a minute, with the time so far and the next poll', () => {
    const { log, news, clock } = started();
    for (let second = 0; second < 180; second += 20) {
      log.waiting(job(), second * 1000, 20_000, undefined);
      clock.advance(20_000);
    }
    expect(news().filter((line) => line.startsWith('info'))).toEqual([
      'info: Still active after 1 min; the next poll is in 20 s.',
      'info: Still active after 2 min; the next poll is in 20 s.',
    ]);
  });

  it('has no heartbeat in the minute after another line', () => {
    const { log, news, clock } = started();
    clock.advance(minuteMs - 1);
    log.polled(job({ status: 'completed' }), minuteMs);
    news();
    clock.advance(minuteMs - 1);
    log.waiting(job(), minuteMs, 5_000, undefined);
    expect(news()).toEqual(['debug: The next poll is in 5 s.']);
  });

  it('does not call a job active while polls fail, and says when they succeed again', () => {
    const { log, news, clock } = started();
    clock.advance(minuteMs);
    log.waiting(job(), minuteMs, 5_000, 'the API refused the connection');
    log.polled(job(), minuteMs + 5_000);
    log.polled(job(), minuteMs + 10_000);
    expect(news()).toEqual([
      'info: Polls still fail after 1 min, because the API refused the connection; job job_1 was active when it last responded; the next poll is in 5 s.',
      'info: The API responds again after 1 min 5 s.',
    ]);
  });

  it('has a heartbeat without a status before the first response', () => {
    const { log, news, clock } = scene();
    log.started(attached);
    clock.advance(minuteMs);
    log.waiting(undefined, minuteMs, 5_000, undefined);
    expect(news()).toEqual([
      'job-source=attached',
      'notice: Docs agent: waiting for job job_1 in project acme.',
      'info: No response after 1 min; the next poll is in 5 s.',
    ]);
  });

  it('warns of failed polls once', () => {
    const { log, news } = started();
    log.pollFailed(new ActionError('unreachable', 'it responded with 503', 'wait'));
    log.polled(job(), 5_000);
    log.pollFailed(new ActionError('unreachable', 'it responded with 502', 'wait'));
    expect(news()).toEqual([
      'warning: A poll failed and will be repeated: it responded with 503.',
      'debug: It responded with 502: wait.',
    ]);
  });

  it('warns of an unknown status once, in the response to the start too', () => {
    const { log, news } = scene();
    log.started({ ...created, job: job({ unknownStatus: 'queued' }) });
    log.polled(job({ unknownStatus: 'parked' }), 5_000);
    expect(news().filter((line) => line.startsWith('warning'))).toEqual([
      'warning: Job job_1 has the status "queued", which this version of the action does not know: it is treated as "active".',
    ]);
  });
});
