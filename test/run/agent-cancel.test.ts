import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Kill } from '../../sandbox/runner/runner.ts';
import { parseFileCommands } from '../../sandbox/runner/runner.ts';
import type { Cache } from '../../src/runner/cache.ts';
import { annotations, runAgainst, runAgent, startAttempts, transcript } from '../helpers/run.ts';
import {
  active,
  closedUrl,
  created,
  done,
  type Reply,
  refusal,
  reset,
  scriptedApi,
  silence,
} from '../helpers/servers.ts';

/** Far longer than the runner gives a cancelled step. */
const longWait = { 'wait-minutes': '60', 'poll-interval-seconds': '300' };

/** Cancels the run when the API gets its n-th request. */
async function cancelAt(
  request: number,
  script: readonly Reply[],
  inputs: Readonly<Record<string, string>> = {},
) {
  const cancel = new AbortController();
  const api = await scriptedApi(script, (_arrival, count) => {
    if (count === request) cancel.abort();
  });
  onTestFinished(() => api.close());
  const result = await runAgent({
    baseUrl: api.url,
    inputs: { 'wait-minutes': '60', ...inputs },
    today: '2026-01-05T14:03:30Z',
    cancel: cancel.signal,
  });
  return result;
}

const costs = 'costs credits until it ends, and may still open or change a pull request';
const howItEnds = `at 2026-01-05 14:03 UTC, ${costs}: to get its result`;
const byId = 'run this action with job-id job_8f2 and no prompt';
const wasRunning = `The run was cancelled. Job job_8f2 was running ${howItEnds}`;
const notSeen = `${wasRunning}, open the job in the dashboard; re-running the workflow sends the prompt to this job again.`;
const mayHaveRun = `The run was cancelled. Job job_8f2 may have been running ${howItEnds}, re-run the workflow, or ${byId}.`;

describe('a cancelled run', () => {
  it('during the request that starts a job: says that one may exist, and a re-run sends nothing', async () => {
    const cancel = new AbortController();
    const onCall = () => cancel.abort();
    const { attempt, posts, cache } = await startAttempts([silence], { onCall });
    const first = await attempt(1, { cancel: cancel.signal });
    expect(first.exitCode).toBe(1);
    expect(first.outputs).toEqual({
      result: 'cancelled',
      message:
        'The run was cancelled. A request was being sent: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.',
    });
    expect(annotations(first, 'error')).toEqual([first.outputs['message']]);
    expect(cache.keys).toHaveLength(1);
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({ reason: 'job-may-exist' });
    expect(posts()).toBe(1);
  });

  it('during the request that starts a job: warns that a re-run starts a second one if no place has the record', async () => {
    const result = await cancelAt(1, [silence]);
    const warning =
      'The record of a job that may exist could not be saved, because this run has neither a comment nor a cache service: re-running the workflow starts a second job.';
    expect(annotations(result, 'warning')).toEqual([warning]);
    expect(result.summary).toContain(`⚠️ ${warning}`);
  });

  it('during a poll: keeps the outputs known so far', async () => {
    const result = await cancelAt(2, [created, silence]);
    expect(transcript(result)).toMatchSnapshot();
  });

  const followUp = { 'job-id': 'job_8f2' };
  const attach = { 'job-id': 'job_8f2', prompt: '' };

  it.each([
    [
      'before a follow-up is sent',
      1,
      [silence],
      followUp,
      'The run was cancelled. Nothing was started.',
    ],
    [
      'while a follow-up is sent',
      2,
      [done, silence],
      followUp,
      'The run was cancelled. A request was being sent: Mintlify may have received the follow-up to job job_8f2, so open the job in the dashboard, and then start a new run, with job-id job_8f2 and no prompt to wait for it or with the prompt to send it again.',
    ],
    ['after a follow-up was sent', 3, [done, active, silence], followUp, notSeen],
    ['before the first response about a job of another step', 1, [silence], attach, mayHaveRun],
  ] as const)('%s: says what that means', async (_name, request, script, inputs, message) => {
    const result = await cancelAt(request, script, inputs);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2', message });
    expect(result.outputs['pr-link']).toBeUndefined();
    // What the job was before a follow-up says nothing of what it is now.
    expect(result.outputs['status']).not.toBe('completed');
    expect(result.summary).not.toContain(', completed');
  });

  it('between two polls: ends by itself', async () => {
    const api = await scriptedApi([created, active]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      inputs: longWait,
      today: '2026-01-05T14:03:30Z',
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.includes('started job')) kill('SIGINT');
      },
    });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      result: 'cancelled',
      status: 'active',
      'job-id': 'job_8f2',
      message: `${wasRunning}, ${byId}; re-running the workflow starts a second job.`,
    });
    expect(annotations(result, 'error')).toHaveLength(1);
  });

  it('once the job is known: holds the step until the cache has its record, and pays once', async () => {
    const fault = (operation: string) => (operation === 'save' ? 'slow' : undefined);
    const script = [created, active, active, done];
    const { attempt, posts } = await startAttempts(script, { fault });
    const first = await attempt(1, {
      inputs: longWait,
      onLine: (line, _stream, kill) => line.includes('started job') && kill('SIGINT'),
    });
    expect(first.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(annotations(first, 'warning')).toEqual([]);
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', result: 'pull-request' });
    expect(posts()).toBe(1);
  });

  it('while it waits for the cache: writes its outputs first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cancel-'));
    const output = join(folder, 'output');
    writeFileSync(output, '');
    const cancel = new AbortController();
    let atDeadline = '';
    const cache: Cache = {
      find: async () => ({ kind: 'ok', value: [] }),
      async save(_key, signal) {
        await setTimeout(50);
        cancel.abort();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        atDeadline = readFileSync(output, 'utf8');
        return { kind: 'failed', problem: 'the cache is down' };
      },
    };
    const api = await scriptedApi([created]);
    onTestFinished(async () => {
      await api.close();
      rmSync(folder, { recursive: true });
    });
    const result = await runAgent({
      baseUrl: api.url,
      inputs: { 'wait-minutes': '0' },
      env: { GITHUB_OUTPUT: output },
      cancel: cancel.signal,
      cache,
    });
    expect(parseFileCommands(atDeadline)).toMatchObject({ result: 'running', 'job-id': 'job_8f2' });
    expect(annotations(result, 'warning')).toEqual([
      'The record of job job_8f2 could not be saved, because the cache is down: re-running the workflow starts a second job.',
    ]);
  });

  it.each([
    ['refused its connection', reset],
    ['asks to wait', refusal(429, { 'retry-after': '600' })],
  ])('before a job was started by an API that %s: does not wait', async (_name, reply) => {
    const baseUrl = reply === reset ? { baseUrl: closedUrl } : {};
    const { result } = await runAgainst([reply], {
      ...baseUrl,
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.startsWith('Nothing was started')) kill('SIGINT');
      },
    });
    expect(result.outputs).toMatchObject({
      result: 'cancelled',
      message: 'The run was cancelled. Nothing was started.',
    });
  });
});
