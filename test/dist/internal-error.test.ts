import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { runWithComment } from '../helpers/comment-run.ts';
import { type AgentRun, annotations, runAgent, transcript } from '../helpers/run-agent.ts';
import { runOnEvent } from '../helpers/run-on-event.ts';
import { runVisitors } from '../helpers/run-visitors.ts';
import { permissions, scriptedGitHub } from '../helpers/scripted-github.ts';
import {
  active,
  created,
  done,
  ended,
  type Reply,
  scriptedApi,
  silentBody,
} from '../helpers/scripted-api.ts';
import { batch, rows } from '../helpers/visitors-replies.ts';

const nodeArguments = ['--import', new URL('../helpers/mistake.mjs', import.meta.url).href];

/** The bundle runs into a mistake when it sets its n-th time limit: one is set to every request. */
function atTimeLimit(count: number): Pick<AgentRun, 'nodeArguments' | 'env'> {
  return { nodeArguments, env: { MISTAKE_AT_TIME_LIMIT: String(count) } };
}

/** The bundle runs into a mistake in a callback, after the first answer to such a request. */
function inCallback(request: string, part = 'trailers'): Pick<AgentRun, 'nodeArguments' | 'env'> {
  return { nodeArguments, env: { MISTAKE_AFTER: request, MISTAKE_AFTER_PART: part } };
}

async function run(script: readonly Reply[], step: AgentRun) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  return await runAgent({ baseUrl: api.url, ...step });
}

const followUp = { 'job-id': 'job_8f2' };
const attach = { 'job-id': 'job_8f2', prompt: '' };
const waitOn = 'run this action with job-id job_8f2 and no prompt, with debug logging switched on';

function expectMistake(result: StepResult): void {
  expect(result.exitCode).toBe(1);
  expect(result.signal).toBeNull();
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'internal-error' });
  expect(result.outputs['message']).toContain('a mistake of its own (TypeError)');
  expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  const told = result.stdout.split('\n').filter((line) => !line.startsWith('::debug::'));
  expect([...told, result.summary, result.stderr].join('\n')).not.toMatch(/secret|\n +at /);
  expect(result.stdout).toMatch(/::debug::.*a secret detail/);
}

describe('a mistake of our own', () => {
  it('while the job is waited for: names the job, and says how to wait on', async () => {
    const result = await run([created, active], atTimeLimit(2));
    expectMistake(result);
    expect(result.outputs).toMatchObject({ 'job-id': 'job_8f2', status: 'active' });
    const { log, ...rest } = transcript(result);
    expect({ ...rest, log: log.filter((line) => !line.startsWith('::debug::')) }).toMatchSnapshot();
  });

  it('in a callback: ends the step all the same, and does not wait for what goes on', async () => {
    const result = await run([created, active], {
      ...inCallback('GET /v2/'),
      inputs: { 'poll-interval-seconds': '2', 'wait-minutes': '60' },
    });
    expectMistake(result);
    expect(result.outputs['job-id']).toBe('job_8f2');
    expect(result.outputs['message']).toContain('job job_8f2 runs on at Mintlify: to wait for it');
  });

  it('in a callback while the job is started: says that one may run', async () => {
    const result = await run([silentBody], inCallback('POST /v2/', 'headers'));
    expectMistake(result);
    expect(result.outputs['message']).toContain('and one may run at Mintlify');
  });

  it.each<[string, readonly Reply[], number, AgentRun['inputs'], string]>([
    [
      'before a follow-up',
      [done],
      1,
      followUp,
      'nothing was sent to job job_8f2: run it again with debug logging',
    ],
    [
      'while the job is started',
      [created],
      1,
      {},
      "and one may run at Mintlify: look for it in the project's dashboard",
    ],
    [
      'while the follow-up is sent',
      [done, created],
      2,
      followUp,
      'a follow-up was being sent to job job_8f2, which may have been taken',
    ],
    [
      'after the follow-up was sent',
      [done, created],
      3,
      followUp,
      `job job_8f2 runs on at Mintlify: to wait for it, ${waitOn}`,
    ],
    [
      'before the first poll of another job',
      [done],
      1,
      attach,
      `job job_8f2 runs on at Mintlify: to wait for it, ${waitOn}`,
    ],
    [
      'while an end is confirmed',
      [created, ended('completed')],
      3,
      {},
      `job job_8f2 was last seen completed at Mintlify: to get its result, ${waitOn}`,
    ],
  ])('%s: says what that means', async (_name, script, count, inputs, words) => {
    const result = await run(script, { ...atTimeLimit(count), ...(inputs && { inputs }) });
    expectMistake(result);
    expect(result.outputs['message']).toContain(words);
  });

  it('before anything was sent to the API: says that nothing was started', async () => {
    const github = await scriptedGitHub(permissions({ owner: 'admin' }));
    onTestFinished(() => github.close());
    const result = await runOnEvent({
      ...atTimeLimit(1),
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
    });
    expectMistake(result);
    expect(result.outputs['message']).toContain('nothing was started: run it again with debug');
  });

  it('is told in the comment too', async () => {
    const result = await runWithComment({}, { ...inCallback('GET /v2/'), speed: 1 }, [
      created,
      active,
    ]);
    expectMistake(result);
    const last = result.written().at(-1);
    expect(last).toContain('### ❌ The step ended with an error');
    expect(last).toContain('a mistake of its own');
    expect(last).toContain('To wait for the job, run this action with <code>job-id</code>');
  });

  it('that comes back while the step is concluded: it has a result all the same', async () => {
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
  ])('%s ends an export too', async (_name, step) => {
    const api = await scriptedApi([batch(rows(250), true)]);
    onTestFinished(() => api.close());
    const result = await runVisitors({ baseUrl: api.url, ...step });
    expectMistake(result);
    expect(result.outputs).toMatchObject({ total: '1000' });
    expect(Object.keys(result.files)).toEqual([]);
  });
});
