import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Kill } from '../../sandbox/runner/runner.ts';
import { annotations, runAgent, transcript } from '../helpers/run-agent.ts';
import {
  active,
  created,
  done,
  portOf,
  type Reply,
  refusal,
  scriptedApi,
  silence,
} from '../helpers/scripted-api.ts';

/** Longer than any of these runs may take once it is cancelled; the runner kills later still. */
const pastPatience = { 'wait-minutes': '60', 'poll-interval-seconds': '300' };

/** Cancels when the API has got its n-th request. */
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
    cancel: cancel.signal,
  });
  return result;
}

/** A server that takes connections and says nothing; it cancels when it is first spoken to. */
async function deafServer() {
  const cancel = new AbortController();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => cancel.abort());
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${portOf(server.address())}`, cancel: cancel.signal };
}

describe('cancelled', () => {
  it('in the middle of the request that starts a job: says that one may exist', async () => {
    const result = await cancelAt(1, [silence]);
    expect(transcript(result)).toMatchSnapshot();
  });

  it('in the middle of a look: keeps the outputs known so far', async () => {
    const result = await cancelAt(2, [created, silence]);
    expect(transcript(result)).toMatchSnapshot();
  });

  const followUp = { 'job-id': 'job_8f2' };
  const attach = { 'job-id': 'job_8f2', prompt: '' };

  it.each([
    [
      'a follow-up, before it was sent',
      1,
      [silence],
      followUp,
      'before the follow-up was sent to job job_8f2',
    ],
    ['a follow-up, while it was sent', 2, [done, silence], followUp, 'it may have been taken'],
    [
      'a follow-up, after it was sent',
      3,
      [done, active, silence],
      followUp,
      'but job job_8f2 runs on at the API',
    ],
    [
      'an attached job, before the first answer',
      1,
      [silence],
      attach,
      'but job job_8f2 runs on at the API',
    ],
  ] as const)('%s: says what that means', async (_name, request, script, inputs, words) => {
    const result = await cancelAt(request, script, inputs);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(result.outputs['message']).toContain(words);
    expect(result.outputs['pr-link']).toBeUndefined();
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('in the middle of a pause, by %s', async (signal) => {
    const api = await scriptedApi([created, active]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      inputs: pastPatience,
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.startsWith('Started job')) kill(signal);
      },
    });
    expect(result.signal).toBeNull();
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      result: 'cancelled',
      status: 'active',
      'job-id': 'job_8f2',
    });
    expect(result.outputs['message']).toContain('but job job_8f2 runs on at the API');
    expect(annotations(result, 'error')).toHaveLength(1);
  });

  it('while nothing was sent yet: does not say that a job may exist', async () => {
    const closed = await scriptedApi([]);
    await closed.close();
    const result = await runAgent({
      baseUrl: closed.url,
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.startsWith('Nothing was started')) kill('SIGINT');
      },
    });
    expect(result.outputs).toMatchObject({
      result: 'cancelled',
      message: 'The run was cancelled before a job was started.',
    });
  });

  it('while the API refuses for now: does not wait until it would take the request', async () => {
    const api = await scriptedApi([refusal(429, { 'retry-after': '600' })]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.startsWith('Nothing was started')) kill('SIGINT');
      },
    });
    expect(result.outputs).toMatchObject({
      result: 'cancelled',
      message: 'The run was cancelled before a job was started.',
    });
  });

  it.each(['api', 'proxy'])(
    'while a silent %s is connected to: nothing was sent, and the process ends',
    async (who) => {
      const { address, cancel } = await deafServer();
      const result = await runAgent({
        baseUrl: who === 'proxy' ? 'https://api.test' : `https://${address}`,
        env: who === 'proxy' ? { HTTPS_PROXY: `http://${address}` } : {},
        cancel,
        // So slow that no time-out of a library ends it before the runner kills it.
        speed: 0.1,
      });
      expect(result.signal).toBeNull();
      expect(result.exitCode).toBe(1);
      expect(result.outputs).toMatchObject({
        result: 'cancelled',
        message: 'The run was cancelled before a job was started.',
      });
      expect(result.stdout).not.toContain('next try');
    },
  );

  it('by a log that breaks, where no signal arrives: the outputs are written all the same', async () => {
    const api = await scriptedApi([created, active]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      onLine: (line: string) => line.startsWith('Started job') && 'break the log',
    });
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toBe('');
  });
});
