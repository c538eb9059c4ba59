import { describe, expect, it } from 'vitest';
import { annotations, runAgainst } from '../helpers/run.ts';
import {
  active,
  created,
  done,
  jobBody,
  ok,
  prLink,
  type Reply,
  refusal,
  reset,
  silence,
} from '../helpers/servers.ts';

const elsewhere: Reply = { status: 302, headers: { location: 'http://127.0.0.1:9/stolen' } };
const otherJob: Reply = ok(jobBody({ id: 'job_other', status: 'failed' }));

/** One of each kind: `test/hostile` has all of them. */
describe('polls that fail do not end the wait', () => {
  it.each<[string, Reply]>([
    ['a broken connection', reset],
    ['silence', silence],
    ['HTML with 200', ok('<html>')],
    ['another job', otherJob],
    ['a redirect', elsewhere],
    ['429 with Retry-After', refusal(429, { 'retry-after': '7' })],
    ['500', refusal(500)],
    ['a proxy’s 403', { status: 403, body: '<html>' }],
  ])('%s', async (_name, reply) => {
    const { result } = await runAgainst([created, active, reply, reply, done]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
    expect(annotations(result, 'warning')).toHaveLength(1);
    expect(annotations(result, 'error')).toEqual([]);
  });

  it('but cause one warning, and the message of a time-out says why the last one failed', async () => {
    const { result } = await runAgainst([created, active, refusal(503)], {
      inputs: { 'wait-minutes': '2' },
    });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.outputs['message']?.replace(/127\.0\.0\.1:\d+/, 'HOST')).toBe(
      'Job job_8f2 may still run, cost credits and open a pull request, but the waiting time of 2 min is over, and since the job was last seen active, the API at HOST responded with 503 ("refused with 503"): to find out how it ends, run this action with job-id job_8f2 and no prompt.',
    );
    expect(annotations(result, 'warning')).toHaveLength(1);
  });
});

describe('a good status with a body that is not the job', () => {
  const unreadable = { result: 'error', reason: 'unreadable-answer', 'job-id': 'job_8f2' };
  const page: Reply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
  const bodies: readonly [string, Reply][] = [
    ['a web page', page],
    ['another job', otherJob],
  ];

  it.each(bodies)('is waited out once the API has returned the job: %s', async (_name, reply) => {
    const inputs = { 'wait-minutes': '2' };
    const { result } = await runAgainst([created, reply], { inputs });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.outputs['message']).toContain('since the job was last seen active, the API at');
    expect(annotations(result, 'warning')).toHaveLength(1);
  });

  it.each(bodies)(
    'ends the step before a follow-up at the third poll that brings %s',
    async (_name, reply) => {
      const inputs = { 'job-id': 'job_8f2' };
      const { result, api, posts } = await runAgainst([reply], { inputs });
      expect(result.outputs).toMatchObject(unreadable);
      expect(api.calls).toHaveLength(3);
      expect(posts).toBe(0);
    },
  );

  it('is polled for again after the usual interval', async () => {
    const inputs = { prompt: '', 'job-id': 'job_8f2', 'poll-interval-seconds': '20' };
    const { result } = await runAgainst([page], { inputs, env: { RUNNER_DEBUG: '1' } });
    expect(result.outputs).toMatchObject(unreadable);
    const delays = [...result.stdout.matchAll(/next poll is in (\d+) s/g)].map(([, s]) =>
      Number(s),
    );
    expect(delays).toEqual([20, 40]);
  });
});

describe('a poll of a job', () => {
  it('needs no id, because the request has it', async () => {
    const end: Reply = ok({ status: 'completed', prLink });
    const { result } = await runAgainst([created, ok({ status: 'active' }), end]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'job-id': 'job_8f2' });
    expect(annotations(result, 'warning')).toEqual([]);
  });

  it('may lack its status, of which the step warns once', async () => {
    const inputs = { prompt: '', 'job-id': 'job_8f2' };
    const bare: Reply = ok(jobBody({ status: undefined }));
    const { result } = await runAgainst([bare, bare, bare, bare, done], { inputs });
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
    expect(annotations(result, 'warning')).toEqual([
      'Job job_8f2 has no status: it is treated as "active".',
    ]);
  });
});

it('a job that no poll has shown ends with why the last one failed', async () => {
  const inputs = { prompt: '', 'job-id': 'job_8f2', 'wait-minutes': '0.5' };
  const { result } = await runAgainst([refusal(503)], { inputs });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
  expect(result.outputs['message']).toContain('the problem is on its side');
});

it('a follow-up that does not show yet is not called active', async () => {
  const before: Reply = ok(jobBody({ status: 'completed', prLink }));
  const { result } = await runAgainst([before], {
    inputs: { 'job-id': 'job_8f2', 'poll-interval-seconds': '20' },
  });
  expect(result.outputs['result']).toBe('pull-request');
  expect(result.stdout).toMatch(
    /^Mintlify still shows the job as it was before the follow-up after 1 min/m,
  );
  expect(result.stdout).not.toContain('Still active');
});

describe('a refusal that no waiting mends ends the step', () => {
  it.each([
    ['401 three times in a row', [created, refusal(401)], 'key-refused', 4],
    ['a redirect three times in a row', [created, elsewhere], 'request-refused', 4],
    ['403 three times in a row', [created, active, refusal(403)], 'forbidden', 5],
    ['410 three times in a row', [created, active, refusal(410)], 'request-refused', 5],
    [
      '404 three times, a minute after the start',
      [created, refusal(404)],
      'job-not-found',
      undefined,
    ],
  ] as const)('%s', async (_name, script, reason, requests) => {
    const { result, api } = await runAgainst(script);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason, 'job-id': 'job_8f2' });
    expect(api.calls.length).toBe(requests ?? api.calls.length);
    expect(annotations(result, 'error')).toHaveLength(1);
    expect(api.calls.length).toBeGreaterThan(1);
  });

  it.each([
    ['a redirect', elsewhere, 'request-refused'],
    ['401', refusal(401), 'key-refused'],
    ['405', refusal(405), 'request-refused'],
  ])('%s at the first poll of a job that this step did not start', async (_name, reply, reason) => {
    const inputs = { prompt: '', 'job-id': 'job_8f2' };
    const { result, api } = await runAgainst([reply], { inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    expect(api.calls).toHaveLength(1);
  });

  it('an unknown job-id, at the first poll', async () => {
    const inputs = { prompt: '', 'job-id': 'job_typo' };
    const { result, api } = await runAgainst([refusal(404)], { inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-not-found' });
    expect(result.outputs['message']).toContain('there is no job job_typo in project acme');
    expect(api.calls).toHaveLength(1);
  });

  it('an unknown job-id at the third poll, if something else than the API does not know it', async () => {
    const inputs = { prompt: '', 'job-id': 'job_8f2' };
    const { result, api } = await runAgainst([{ status: 404, body: '<html>' }], { inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreadable-answer' });
    expect(api.calls).toHaveLength(3);
  });
});

/** The response to the start has all the time it needs. */
const fastAfterStart = { FAST_CLOCK_AFTER: '1' };

describe('polling', () => {
  it('logs a line a minute, and no more', async () => {
    const polls = Array<Reply>(200).fill(active);
    const { result } = await runAgainst([created, ...polls, done], {
      env: fastAfterStart,
    });
    const beats = result.stdout.split('\n').filter((line) => line.startsWith('Still active'));
    const seconds = beats.map((line) => toSeconds(/after (.*);/.exec(line)?.[1] ?? ''));
    const gaps = seconds.map((second, index) => second - (seconds[index - 1] ?? 0));
    expect(beats.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(59);
  });

  it('has an adaptive interval if none is fixed', async () => {
    const inputs = { 'poll-interval-seconds': '', 'wait-minutes': '10' };
    const { result, api } = await runAgainst([created, active], {
      inputs,
      env: fastAfterStart,
    });
    expect(result.outputs['result']).toBe('timed-out');
    // 5 s would make 120 polls, and 60 s ten. A slow machine makes fewer than a fast one.
    expect(api.calls.length - 1).toBeLessThanOrEqual(45);
    expect(api.calls.length - 1).toBeGreaterThan(15);
  });
});

function toSeconds(words: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+) min ?)?(?:(\d+) s)?$/.exec(words) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
