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

const otherJob: Reply = ok(jobBody({ id: 'job_other', status: 'failed' }));

/** One of each kind: `test/hostile` has all of them. */
describe('polls that fail do not end the wait', () => {
  it.each<[string, Reply]>([
    ['a broken connection', reset],
    ['silence', silence],
    ['another job', otherJob],
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
    expect(result.outputs['message']).toMatch(
      /^The waiting time of 2 min is over, and the API at \S+ responded with 503 \("refused with 503"\)\. Job job_8f2 may have been running at .*: to get its result, run this action/,
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
    expect(result.outputs['message']).toContain('is over, and the API at');
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

it('a poll of a job needs no id, because the request has it', async () => {
  const end: Reply = ok({ status: 'completed', prLink });
  const { result } = await runAgainst([created, ok({ status: 'active' }), end]);
  expect(result.outputs).toMatchObject({ result: 'pull-request', 'job-id': 'job_8f2' });
  expect(annotations(result, 'warning')).toEqual([]);
});

it('a job that no poll has shown ends with why the last one failed', async () => {
  const inputs = { prompt: '', 'job-id': 'job_8f2', 'wait-minutes': '0.5' };
  const { result } = await runAgainst([refusal(503)], { inputs });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
  expect(result.outputs['message']).toContain('the problem is on its side');
});

describe('a refusal that no waiting mends ends the step', () => {
  const attach = { prompt: '', 'job-id': 'job_typo' };

  it.each<[string, readonly Reply[], Readonly<Record<string, string>>, string, number]>([
    ['401 three times in a row', [created, refusal(401)], {}, 'key-refused', 4],
    ['401 at the first poll of a job of another step', [refusal(401)], attach, 'key-refused', 1],
    ['an unknown job-id', [refusal(404)], attach, 'job-not-found', 1],
    [
      'an unknown job-id three times, if something else than the API does not know it',
      [{ status: 404, body: '<html>' }],
      attach,
      'unreadable-answer',
      3,
    ],
  ])('%s', async (_name, script, inputs, reason, requests) => {
    const { result, api } = await runAgainst(script, { inputs });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
    expect(api.calls).toHaveLength(requests);
  });

  it('404 of a job that this step started, once it must be visible after a minute', async () => {
    const inputs = { 'poll-interval-seconds': '25' };
    const { result, api } = await runAgainst([created, refusal(404)], { inputs });
    expect(result.outputs).toMatchObject({ reason: 'job-not-found', 'job-id': 'job_8f2' });
    expect(result.outputs['message']).toContain('there is no job job_8f2 in project acme');
    // After 25, 50 and 110 s, because failures stretch the interval.
    expect(api.calls).toHaveLength(4);
  });
});

describe('polling', () => {
  it('logs a line a minute, and no more', async () => {
    const polls = Array<Reply>(200).fill(active);
    const { result } = await runAgainst([created, ...polls, done]);
    const beats = result.stdout.match(/^Still active after .*?;/gm);
    expect(beats).toEqual(
      ['1 min', '2 min', '3 min'].map((each) => `Still active after ${each} of waiting;`),
    );
  });

  it('has an adaptive interval if none is fixed', async () => {
    const inputs = { 'poll-interval-seconds': '', 'wait-minutes': '10' };
    const { result, api } = await runAgainst([created, active], { inputs });
    expect(result.outputs['result']).toBe('timed-out');
    // 10 s would make 60 polls, and 60 s ten; the jitter decides between 40 and 43.
    expect(api.calls.length - 1).toBeGreaterThan(38);
    expect(api.calls.length - 1).toBeLessThan(45);
  });
});
