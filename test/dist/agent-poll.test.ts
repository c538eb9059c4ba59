import { describe, expect, it } from 'vitest';
import { runAgainst } from '../helpers/run-against.ts';
import { annotations } from '../helpers/run-agent.ts';
import {
  active,
  created,
  done,
  halfAnswer,
  jobBody,
  prLink,
  type Reply,
  refusal,
  reset,
  silence,
  silentBody,
} from '../helpers/scripted-api.ts';

const elsewhere: Reply = { status: 302, headers: { location: 'http://127.0.0.1:9/stolen' } };
const otherJob: Reply = { status: 200, body: jobBody({ id: 'job_other', status: 'failed' }) };

describe('looks that fail do not end the wait', () => {
  it.each<[string, Reply]>([
    ['the connection breaks', reset],
    ['half an answer', halfAnswer],
    ['no answer', silence],
    ['headers, then silence', silentBody],
    ['an answer without end', { status: 200, body: 'x'.repeat(5_000_000) }],
    ['HTML with 200', { status: 200, body: '<html>' }],
    ['an empty answer', { status: 200 }],
    ['a list', { status: 200, body: [] }],
    ['another job', otherJob],
    ['a redirect', elsewhere],
    ['408', refusal(408)],
    ['429 with Retry-After', refusal(429, { 'retry-after': '7' })],
    ['500', refusal(500)],
    ['a proxy’s 403', { status: 403, body: '<html>' }],
  ])('%s', async (_name, reply) => {
    const { result } = await runAgainst([created, active, reply, reply, done]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
    expect(annotations(result, 'warning')).toHaveLength(1);
    expect(annotations(result, 'error')).toEqual([]);
  });

  it('and are warned of once, with what the last one failed of when the time is over', async () => {
    const { result } = await runAgainst([created, active, refusal(503)], {
      inputs: { 'wait-minutes': '2' },
    });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.outputs['message']).toContain('at the last look the API');
    expect(annotations(result, 'warning')).toHaveLength(1);
  });
});

describe('a good status with something else in it', () => {
  const unreadable = { result: 'error', reason: 'unreadable-answer', 'job-id': 'job_8f2' };
  const page: Reply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
  const bodies: readonly [string, Reply][] = [
    ['a web page', page],
    ['an empty answer', { status: 200 }],
    ['a list', { status: 200, body: [] }],
    ['another job', otherJob],
  ];

  it.each(bodies)('%s, is asked for twice more, then ends the wait', async (_name, reply) => {
    const { result, api } = await runAgainst([created, active, reply]);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ ...unreadable, status: 'active' });
    expect(api.calls).toHaveLength(5);
    expect(annotations(result, 'warning')).toHaveLength(1);
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  });

  it.each(bodies)('%s, is no more than that before a follow-up', async (_name, reply) => {
    const inputs = { 'job-id': 'job_8f2' };
    const { result, api, posts } = await runAgainst([reply], { inputs });
    expect(result.outputs).toMatchObject(unreadable);
    expect(api.calls).toHaveLength(3);
    expect(posts).toBe(0);
  });

  it('is not asked for at once, but with the interval of the polls in between', async () => {
    const inputs = { prompt: '', 'job-id': 'job_8f2', 'poll-interval-seconds': '20' };
    const { result } = await runAgainst([page], { inputs, env: { RUNNER_DEBUG: '1' } });
    expect(result.outputs).toMatchObject(unreadable);
    const pauses = [...result.stdout.matchAll(/next look is in (\d+) s/g)].map(([, s]) =>
      Number(s),
    );
    expect(pauses).toEqual([20, 40]);
  });

  it('between good ones is borne again and again', async () => {
    const script = Array.from({ length: 5 }, () => [page, page, active]).flat();
    const { result } = await runAgainst([created, ...script, done]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
  });
});

it('a job that was never seen ends with what the last look failed of', async () => {
  const inputs = { prompt: '', 'job-id': 'job_8f2', 'wait-minutes': '0.5' };
  const { result } = await runAgainst([refusal(503)], { inputs });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
  expect(result.outputs['message']).toContain('the fault is on its side');
});

describe('a refusal that no waiting mends ends it', () => {
  it.each([
    ['401 at the first look', [created, refusal(401)], 'key-refused', 2],
    ['403 twice in a row', [created, active, refusal(403), refusal(403), done], 'forbidden', 4],
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

  it('an unknown job-id, in seconds', async () => {
    const inputs = { prompt: '', 'job-id': 'job_typo' };
    const { result, api } = await runAgainst([refusal(404)], { inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-not-found' });
    expect(result.outputs['message']).toContain('there is no job job_typo in project acme');
    expect(api.calls).toHaveLength(3);
  });
});

/** The answer that tells of the job has all the time it needs. */
const fastAfterStart = { FAST_CLOCK_AFTER: '1' };

describe('the log', () => {
  it('has a heartbeat a minute, and no more', async () => {
    const looks = Array<Reply>(200).fill(active);
    const { result } = await runAgainst([created, ...looks, done], {
      speed: 150,
      env: fastAfterStart,
    });
    const beats = result.stdout.split('\n').filter((line) => line.startsWith('Still active'));
    const seconds = beats.map((line) => toSeconds(/after (.*);/.exec(line)?.[1] ?? ''));
    const gaps = seconds.map((second, index) => second - (seconds[index - 1] ?? 0));
    expect(beats.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(59);
  });

  it('without a fixed interval, looks on the adaptive schedule', async () => {
    const inputs = { 'poll-interval-seconds': '', 'wait-minutes': '10' };
    const { result, api } = await runAgainst([created, active], {
      speed: 300,
      inputs,
      env: fastAfterStart,
    });
    expect(result.outputs['result']).toBe('timed-out');
    // Pauses of 5 s would make 120 looks, of 60 s ten; a slow machine makes fewer than a quick one.
    expect(api.calls.length - 1).toBeLessThanOrEqual(45);
    expect(api.calls.length - 1).toBeGreaterThan(15);
  });
});

function toSeconds(words: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+) min ?)?(?:(\d+) s)?$/.exec(words) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
