import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import {
  annotations,
  runAgent,
  runOnEvent,
  runVisitors,
  runWithComment,
  transcript,
} from '../helpers/run.ts';
import {
  active,
  batch,
  created,
  done,
  ended,
  permissions,
  type Reply,
  rows,
  scriptedApi,
  scriptedGitHub,
  silence,
} from '../helpers/servers.ts';

/*
 * An error in a callback, which nobody catches, when a server gets a certain request. test/dist/mistakes.test.ts
 * has those that a process really throws.
 */

function mistake() {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    make: () => controller.abort(new TypeError('a secret detail')),
  };
}

/** Runs the agent, which fails when the API gets its n-th request. */
async function failAt(
  count: number,
  script: readonly Reply[],
  inputs: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const { signal, make } = mistake();
  const api = await scriptedApi(script, (_arrival, arrived) => {
    if (arrived === count) make();
  });
  onTestFinished(() => api.close());
  const today = '2026-01-05T14:03:30Z';
  return await runAgent({ baseUrl: api.url, cancel: signal, inputs, today });
}

const followUp = { 'job-id': 'job_8f2' };
const attach = { 'job-id': 'job_8f2', prompt: '' };
const report = 'report what the log says with debug logging enabled.';
const byId = 'run this action with job-id job_8f2 and no prompt';
const howItEnds =
  'at 2026-01-05 14:03 UTC, costs credits until it ends, and may still open or change a pull request: to get its result';

function expectInternalError(result: StepResult): void {
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'internal-error' });
  expect(result.outputs['message']).toMatch(/this action hit an internal error \(TypeError\)/i);
  expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  const shown = result.stdout.split('\n').filter((line) => !line.startsWith('::debug::'));
  expect([...shown, result.summary].join('\n')).not.toMatch(/secret|\n +at /);
  expect(result.stdout).toMatch(/::debug::.*a secret detail/);
}

describe('an internal error', () => {
  it('while a job is polled: the step names the job, and says how to wait for it again', async () => {
    const result = await failAt(2, [created, silence]);
    expectInternalError(result);
    const { log, ...rest } = transcript(result);
    expect({ ...rest, log: log.filter((line) => !line.startsWith('::debug::')) }).toMatchSnapshot();
  });

  it.each<[string, number, readonly Reply[], Readonly<Record<string, string>>, string]>([
    ['before a follow-up', 1, [silence], followUp, `${report} Nothing was started.`],
    [
      'while a job is started',
      1,
      [silence],
      {},
      `${report} A request was being sent: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.`,
    ],
    [
      'while a follow-up is sent',
      2,
      [done, silence],
      followUp,
      `${report} A request was being sent: Mintlify may have received the follow-up to job job_8f2, so open the job in the dashboard, and then start a new run, with job-id job_8f2 and no prompt to wait for it or with the prompt to send it again.`,
    ],
    [
      'after a follow-up was sent',
      3,
      [done, created, silence],
      followUp,
      `${report} Job job_8f2 was running ${howItEnds}, open the job in the dashboard; re-running the workflow sends the prompt to this job again.`,
    ],
    [
      'before the first poll of another job',
      1,
      [silence],
      attach,
      `${report} Job job_8f2 may have been running ${howItEnds}, re-run the workflow, or ${byId}.`,
    ],
    [
      'while an end is confirmed',
      3,
      [created, ended('completed'), silence],
      {},
      `${report} Job job_8f2 has completed: to get its result, ${byId}; re-running the workflow starts a second job.`,
    ],
  ])('%s: the message says what that means', async (_name, count, script, inputs, words) => {
    const result = await failAt(count, script, inputs);
    expectInternalError(result);
    expect(result.outputs['message']).toContain(words);
  });

  it('in the permission check: the step says that nothing was started', async () => {
    const { signal, make } = mistake();
    const [route = ''] = Object.keys(permissions({ owner: 'admin' }));
    const github = await scriptedGitHub({ [route]: make });
    onTestFinished(() => github.close());
    const result = await runOnEvent({
      cancel: signal,
      eventName: 'issues',
      event: 'issues-labeled-by-owner',
      githubUrl: github.url,
    });
    expectInternalError(result);
    expect(result.outputs['message']).toContain(`${report} Nothing was started.`);
  });

  it('ends the comment too', async () => {
    const { signal, make } = mistake();
    const step = { cancel: signal, today: '2026-01-05T14:03:30Z' };
    const result = await runWithComment({}, step, [created, active, make]);
    expectInternalError(result);
    const last = result.written().at(-1);
    expect(last).toContain('### ❌ The step ended with an error');
    expect(last).toMatch(
      /an internal error \(TypeError\): report what the log says with debug logging enabled\. Job <code>job&#95;8f2<\/code> was running at 2026-01-05 14:0\d UTC,/,
    );
    expect(last).toContain('run this action with job-id <code>job&#95;8f2</code>');
  });

  it('ends an export, which leaves no file', async () => {
    const { signal, make } = mistake();
    const api = await scriptedApi([batch(rows(250), true), make]);
    onTestFinished(() => api.close());
    const result = await runVisitors({ baseUrl: api.url, cancel: signal });
    expectInternalError(result);
    expect(result.outputs).toMatchObject({ total: '1000' });
    expect(Object.keys(result.files)).toEqual([]);
  });
});
