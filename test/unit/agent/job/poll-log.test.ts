import { expect, it } from 'vitest';
import { createPollLog } from '../../../../src/agent/job/poll-log.ts';
import type { PolledJob } from '../../../../src/agent/job/polled-job.ts';
import { beginProgress, type Seen } from '../../../../src/agent/job/progress.ts';
import type { Job } from '../../../../src/platform/job.ts';
import { countFailure, untried } from '../../../../src/platform/retry-state.ts';
import { failed, job } from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

function startedAs(source: PolledJob['source']): PolledJob {
  return { source, id: 'job_1', sentMs: 0, sinceMs: 0 };
}

it.each<[PolledJob['source'], Job | undefined, string]>([
  ['created', job(), 'started job job_1 in project acme.'],
  ['created', job({ status: 'failed' }), 'started job job_1 in project acme, which has failed.'],
  ['followed-up', job({ status: 'completed' }), 'sent a follow-up to job job_1 in project acme.'],
  ['attached', undefined, 'waiting for job job_1 in project acme.'],
  [
    'resumed',
    job({ status: 'archived' }),
    'resumed job job_1 of an earlier attempt in project acme, which is archived.',
  ],
])('the log says that a job was %s', (source, found, sentence) => {
  const runner = fakeRunner();
  createPollLog(runner).started(startedAs(source), beginProgress(found), 'acme');
  expect(runner.told).toEqual([`notice: Docs agent: ${sentence}`]);
});

/** What the log says of polls in a row, each after so many seconds. */
function logOf(
  source: PolledJob['source'],
  known: Job | undefined,
  polls: readonly (readonly [number, Partial<Seen>])[],
) {
  const runner = fakeRunner();
  const log = createPollLog(runner);
  log.started(startedAs(source), beginProgress(known), 'acme');
  for (const [seconds, fields] of polls) {
    const base = {
      job: job(),
      phase: { at: 'active' },
      followUp: undefined,
      retryState: untried,
    } as const;
    const seen: Seen = { ...base, waitedMs: seconds * 1000, delayMs: 5000, ...fields };
    log.polled(seen);
  }
  return runner.told.slice(1);
}

function failing(status: number): Partial<Seen> {
  const response = failed({ status });
  return response.kind === 'failure' ? { retryState: countFailure(untried, response.failure) } : {};
}

const next = 'The next poll is in 5 s.';
const unread = { job: undefined };

it('the log has a line a minute, and one for each status', () => {
  expect(
    logOf('created', job(), [
      [59.9, {}],
      [60, {}],
      [119.9, { delayMs: 59_000 }],
      [121, { phase: { at: 'unsettled' } }],
      [130, { job: job({ status: 'completed' }) }],
      [189, { job: job({ status: 'completed' }), delayMs: undefined }],
    ]),
  ).toEqual([
    `debug: ${next}`,
    'info: Still active after 1 min of waiting; the next poll is in 5 s.',
    'debug: The next poll is in 59 s.',
    'info: Mintlify shows an end of the job that may be older than the follow-up, after 2 min 1 s of waiting; the next poll is in 5 s.',
    'info: Job job_1 has completed after 2 min 10 s of waiting.',
    `debug: ${next}`,
  ]);
});

it('the log warns of the first failure, and later says what is known', () => {
  expect(
    logOf('attached', undefined, [
      [1, { ...failing(502), ...unread }],
      [61, { ...failing(503), ...unread }],
      [70, {}],
      [131, failing(504)],
      [192, unread],
    ]),
  ).toEqual([
    'warning: A poll failed and will be repeated: failure 502.',
    `debug: ${next}`,
    'debug: Failure 503: wait.',
    'info: Polls still fail after 1 min 1 s of waiting, because failure 503; the next poll is in 5 s.',
    'info: Job job_1 is active.',
    `debug: ${next}`,
    'debug: Failure 504: wait.',
    'info: Polls still fail after 2 min 11 s of waiting, because failure 504; job job_1 was active when it last responded; the next poll is in 5 s.',
    'info: No response after 3 min 12 s of waiting; the next poll is in 5 s.',
  ]);
});

it('the log warns once of a status that is not known, even at the start', () => {
  const odd = job({ unknownStatus: 'parked' });
  const sentence =
    'warning: Job job_1 has the status "parked", which this version of the action does not know: it is treated as "active".';
  const polls = [[1, { job: odd }]] as const;
  expect(logOf('created', odd, polls)).toEqual([sentence, `debug: ${next}`]);
  const none = { job: job({ unknownStatus: '' }) };
  expect(logOf('created', job(), [[1, none], ...polls])).toEqual([
    'warning: Job job_1 has no status: it is treated as "active".',
    `debug: ${next}`,
    `debug: ${next}`,
  ]);
});

it('the log says an end after a follow-up even if the job had ended so before', () => {
  const ended = job({ status: 'completed' });
  expect(logOf('followed-up', job(), [[5, { job: ended, delayMs: undefined }]])).toEqual([
    'info: Job job_1 has completed after 5 s of waiting.',
  ]);
  expect(logOf('resumed', ended, [[0, { job: ended, delayMs: undefined }]])).toEqual([]);
});
