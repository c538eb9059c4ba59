import { describe, expect, it } from 'vitest';
import type { Known } from '../../../src/agent/known.ts';
import { createNarrator, type Narrator } from '../../../src/agent/narrator.ts';
import { UnreachableError } from '../../../src/platform/errors.ts';
import type { Log } from '../../../src/runner/log.ts';
import { type FakeClock, fakeClock } from '../../helpers/fake-clock.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

interface Scene {
  readonly narrator: Narrator;
  readonly known: Known;
  readonly clock: FakeClock;
  /** Outputs as `name=value`, lines as `level: text`, in the order they came. */
  readonly told: string[];
  /** What was told since the last call. */
  news(): string[];
}

function scene(setOutput?: () => never): Scene {
  const clock = fakeClock();
  const known: Known = {};
  const told: string[] = [];
  const print = (level: string) => (text: string) => void told.push(`${level}: ${text}`);
  const log: Log = {
    info: print('info'),
    debug: print('debug'),
    notice: print('notice'),
    warning: print('warning'),
  };
  const runner = {
    log,
    clock,
    setOutput: setOutput ?? ((name: string, value: string) => void told.push(`${name}=${value}`)),
  };
  const narrator = createNarrator(runner, known, 'acme', () => {});
  return { narrator, known, clock, told, news: () => told.splice(0) };
}

const waiting = { origin: 'create', jobId: 'job_1', sinceMs: 1_000, deadlineMs: 9_000 } as const;
const minuteMs = 60_000;

function started(scene: Scene): Scene {
  scene.narrator.started({ ...waiting, job: job() });
  scene.news();
  return scene;
}

describe('outputs', () => {
  it('are written the moment the job is known, before anything is printed', () => {
    const { narrator, news, known } = scene();
    narrator.started({ ...waiting, job: job() });
    expect(news()).toEqual([
      'job-id=job_1',
      'status=active',
      'repository=acme/docs',
      'ref=docs-agent/job_1',
      'model=model-1',
      'created-at=2026-01-05T08:00:00Z',
      'info: Started job job_1 in project acme. It is active.',
    ]);
    expect(known).toEqual({ job: job(), sinceMs: 1_000 });
  });

  it('that cannot be written leave the job known', () => {
    const { narrator, known } = scene(() => {
      throw new Error('no space left');
    });
    expect(() => narrator.started({ ...waiting, job: job() })).toThrow('no space left');
    expect(known.job).toEqual(job());
  });

  it('are written again only when they changed', () => {
    const { narrator, news } = started(scene());
    narrator.seen(job(), 5_000);
    expect(news()).toEqual([]);
    narrator.seen(job({ status: 'completed', pullRequest }), 10_000);
    expect(news()).toEqual(['status=completed', 'info: Job job_1 is completed after 10 s.']);
  });

  it('keep what one answer told and a later one leaves out', () => {
    const { narrator, news, known } = scene();
    const archivedAt = '2026-01-05T09:00:00Z';
    const full = job({ archivedAt });
    narrator.started({ ...waiting, job: full });
    news();
    const bare = { repository: '', ref: '', model: '', createdAt: '', archivedAt: '' };
    narrator.seen(job(bare), 5_000);
    expect(news()).toEqual([]);
    expect(known.job).toEqual(full);
  });

  it('wait for the answer that tells them', () => {
    const { narrator, news } = scene();
    const bare = { repository: '', ref: '', model: '', createdAt: '' };
    narrator.started({ ...waiting, job: job(bare) });
    expect(news()).toEqual([
      'job-id=job_1',
      'status=active',
      'info: Started job job_1 in project acme. It is active.',
    ]);
    narrator.seen(job(), 5_000);
    expect(news()).toEqual([
      'repository=acme/docs',
      'ref=docs-agent/job_1',
      'model=model-1',
      'created-at=2026-01-05T08:00:00Z',
    ]);
  });

  it('tell of no pull request before the end is certain: it may be the one from before', () => {
    const { narrator, news } = scene();
    narrator.before(job({ status: 'completed', pullRequest }));
    news();
    narrator.started({ ...waiting, origin: 'follow-up', job: job() });
    expect(news()).toEqual([
      'status=active',
      'info: Sent a follow-up to job job_1 in project acme. It is active.',
    ]);
  });
});

describe('the log', () => {
  it('has one line for each change of status', () => {
    const { narrator, news } = started(scene());
    for (const status of ['active', 'completed', 'completed', 'active'] as const) {
      narrator.seen(job({ status }), 5_000);
    }
    expect(news().filter((line) => line.startsWith('info'))).toEqual([
      'info: Job job_1 is completed after 5 s.',
      'info: Job job_1 is active after 5 s.',
    ]);
  });

  it('has a heartbeat once a minute, with the time so far and the next look', () => {
    const { narrator, news, clock } = started(scene());
    for (let second = 0; second < 180; second += 20) {
      narrator.pausing(job(), second * 1000, 20_000);
      clock.advance(20_000);
    }
    expect(news().filter((line) => line.startsWith('info'))).toEqual([
      'info: Still active after 1 min; the next look is in 20 s.',
      'info: Still active after 2 min; the next look is in 20 s.',
    ]);
  });

  it('has no heartbeat in the minute after another line', () => {
    const { narrator, news, clock } = started(scene());
    clock.advance(minuteMs - 1);
    narrator.seen(job({ status: 'completed' }), minuteMs);
    news();
    clock.advance(minuteMs - 1);
    narrator.pausing(job(), minuteMs, 5_000);
    expect(news()).toEqual(['debug: The next look is in 5 s.']);
  });

  it('has a heartbeat without a status while the job was not seen', () => {
    const { narrator, news, clock } = scene();
    narrator.started({ ...waiting, origin: 'attach' });
    clock.advance(minuteMs);
    narrator.pausing(undefined, minuteMs, 5_000);
    expect(news()).toEqual([
      'info: Waiting for job job_1 in project acme.',
      'info: No answer after 1 min; the next look is in 5 s.',
    ]);
  });

  it('warns of failed looks once', () => {
    const { narrator, news } = started(scene());
    narrator.troubled(new UnreachableError('it answered 503', 'wait'));
    narrator.seen(job(), 5_000);
    narrator.troubled(new UnreachableError('it answered 502', 'wait'));
    expect(news()).toEqual([
      'warning: A look at the job failed, and is repeated: it answered 503.',
      'debug: It answered 502: wait.',
    ]);
  });

  it('warns of an unknown status once, in the answer to the start too', () => {
    const { narrator, news } = scene();
    narrator.started({ ...waiting, job: job({ unknownStatus: 'queued' }) });
    narrator.seen(job({ unknownStatus: 'parked' }), 5_000);
    expect(news().filter((line) => line.startsWith('warning'))).toEqual([
      'warning: Job job_1 has the status "queued", which this version does not know: it is taken for "active".',
    ]);
  });
});
