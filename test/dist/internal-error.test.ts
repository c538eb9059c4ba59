import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { runWithComment } from '../helpers/comment-run.ts';
import { type AgentRun, annotations, runAgent, transcript } from '../helpers/run-agent.ts';
import { runOnEvent } from '../helpers/run-on-event.ts';
import { runVisitors } from '../helpers/run-visitors.ts';
import {
  active,
  created,
  done,
  ended,
  type Reply,
  scriptedApi,
  silentBody,
} from '../helpers/scripted-api.ts';
import { permissions, scriptedGitHub } from '../helpers/scripted-github.ts';
import { batch, rows } from '../helpers/visitors-replies.ts';

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

const followUp = { 'job-id': 'job_8f2' };
const attach = { 'job-id': 'job_8f2', prompt: '' };
const report = 'Please report what the log says with debug logging enabled.';
const waitAgain = `run this action with job-id job_8f2 and no prompt. ${report}`;

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
  it('while a job is polled: the step names the job, and says how to wait for it again', async () => {
    const result = await run([created, active], atTimeLimit(2));
    expectInternalError(result);
    expect(result.outputs).toMatchObject({ 'job-id': 'job_8f2', status: 'active' });
    const { log, ...rest } = transcript(result);
    expect({ ...rest, log: log.filter((line) => !line.startsWith('::debug::')) }).toMatchSnapshot();
  });

  it('in a callback: the step ends anyway, and does not wait for its polls', async () => {
    const result = await run([created, active], {
      ...inCallback('GET /v2/'),
      inputs: { 'poll-interval-seconds': '2', 'wait-minutes': '60' },
    });
    expectInternalError(result);
    expect(result.outputs['job-id']).toBe('job_8f2');
    expect(result.outputs['message']).toMatch(/^Job job_8f2 still runs, .*, although /);
  });

  it('in a callback while a job is started: the step says that one may exist', async () => {
    const result = await run([silentBody], inCallback('POST /v2/', 'headers'));
    expectInternalError(result);
    expect(result.outputs['message']).toContain('so a job may exist and keep running');
  });

  it.each<[string, readonly Reply[], number, AgentRun['inputs'], string]>([
    [
      'before a follow-up',
      [done],
      1,
      followUp,
      `before the follow-up was sent to job job_8f2. ${report}`,
    ],
    [
      'while a job is started',
      [created],
      1,
      {},
      `while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one. ${report}`,
    ],
    [
      'while a follow-up is sent',
      [done, created],
      2,
      followUp,
      `while a follow-up was being sent to job job_8f2, so Mintlify may have received it: check the job in the dashboard before you send it again. ${report}`,
    ],
    [
      'after a follow-up was sent',
      [done, created],
      3,
      followUp,
      `Job job_8f2 still runs, costs credits and may open a pull request, although this action hit an internal error (TypeError): to find out how it ends, ${waitAgain}`,
    ],
    [
      'before the first poll of another job',
      [done],
      1,
      attach,
      `Job job_8f2 may still run, cost credits and open a pull request, although this action hit an internal error (TypeError): to find out how it ends, ${waitAgain}`,
    ],
    [
      'while an end is confirmed',
      [created, ended('completed')],
      3,
      {},
      `Job job_8f2 was last seen completed, although this action hit an internal error (TypeError): to find out how it ends, ${waitAgain}`,
    ],
  ])('%s: the message says what that means', async (_name, script, count, inputs, words) => {
    const result = await run(script, { ...atTimeLimit(count), ...(inputs && { inputs }) });
    expectInternalError(result);
    expect(result.outputs['message']).toContain(words);
  });

  it('in the permission check: the step says that nothing was started', async () => {
    const github = await scriptedGitHub(permissions({ owner: 'admin' }));
    onTestFinished(() => github.close());
    const result = await runOnEvent({
      ...atTimeLimit(1),
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
    });
    expectInternalError(result);
    expect(result.outputs['message']).toContain(`before a job was started. ${report}`);
  });

  it('ends the comment too', async () => {
    const result = await runWithComment({}, { ...inCallback('GET /v2/'), speed: 1 }, [
      created,
      active,
    ]);
    expectInternalError(result);
    const last = result.written().at(-1);
    expect(last).toContain('### ❌ The step ended with an error');
    expect(last).toContain('an internal error');
    expect(last).toContain('or run this action with <code>job-id</code>');
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
