import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { type AgentRun, annotations, runAgent, runVisitors } from '../helpers/run.ts';
import {
  active,
  batch,
  created,
  type Reply,
  rows,
  scriptedApi,
  silentBody,
} from '../helpers/servers.ts';

/* What a process does with errors that nobody catches. test/run/internal-error.test.ts has the messages. */

const nodeArguments = ['--import', new URL('../helpers/mistake.mjs', import.meta.url).href];

/** The bundle fails when it sets its n-th time limit; it sets one for each request. */
function atTimeLimit(count: number): Pick<AgentRun, 'nodeArguments' | 'env'> {
  return { nodeArguments, env: { MISTAKE_AT_TIME_LIMIT: String(count) } };
}

/** The bundle fails in a callback, after the first response to this kind of request. */
function inCallback(request: string, part = 'trailers'): Pick<AgentRun, 'nodeArguments' | 'env'> {
  return { nodeArguments, env: { MISTAKE_AFTER: request, MISTAKE_AFTER_PART: part } };
}

async function run(script: readonly Reply[], step: AgentRun) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  return await runAgent({ baseUrl: api.url, ...step });
}

function expectInternalError(result: StepResult): void {
  expect(result.exitCode).toBe(1);
  expect(result.signal).toBeNull();
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'internal-error' });
  expect(result.outputs['message']).toMatch(/this action hit an internal error \(TypeError\)/i);
  expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  const told = result.stdout.split('\n').filter((line) => !line.startsWith('::debug::'));
  expect([...told, result.summary, result.stderr].join('\n')).not.toMatch(/secret|\n +at /);
  expect(result.stdout).toMatch(/::debug::.*a secret detail/);
}

describe('an internal error', () => {
  it('while a job is polled: the step names the job', async () => {
    const result = await run([created, active], atTimeLimit(2));
    expectInternalError(result);
    expect(result.outputs).toMatchObject({ 'job-id': 'job_8f2', status: 'active' });
  });

  it('in a callback: the step ends anyway, and does not wait for its polls', async () => {
    const result = await run([created, active], {
      ...inCallback('GET /v2/'),
      inputs: { 'poll-interval-seconds': '2', 'wait-minutes': '60' },
    });
    expectInternalError(result);
    expect(result.outputs['job-id']).toBe('job_8f2');
    expect(result.outputs['message']).toMatch(
      /^This action hit an internal error .* Job job_8f2 was running at /,
    );
  });

  it('in a callback while a job is started: the step says that one may exist', async () => {
    const result = await run([silentBody], inCallback('POST /v2/', 'headers'));
    expectInternalError(result);
    expect(result.outputs['message']).toContain('a job may exist');
  });

  it('that strikes again while the step ends: there is a result all the same', async () => {
    const result = await run([created, active], {
      nodeArguments,
      env: { MISTAKE_AT_ROUNDING: '1' },
    });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toBe('');
    expect(result.outputs).toMatchObject({
      result: 'error',
      reason: 'internal-error',
      'job-id': 'job_8f2',
      status: 'active',
    });
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  });

  it.each([
    ['at a time limit', atTimeLimit(2)],
    ['in a callback', inCallback('GET /v1/')],
  ])('%s: an export ends with it too', async (_name, step) => {
    const api = await scriptedApi([batch(rows(250), true)]);
    onTestFinished(() => api.close());
    const result = await runVisitors({ baseUrl: api.url, ...step });
    expectInternalError(result);
    expect(result.outputs).toMatchObject({ total: '1000' });
    expect(Object.keys(result.files)).toEqual([]);
  });
});
