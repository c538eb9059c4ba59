import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCacheService } from '../../sandbox/runner/cache-service.ts';
import type { Kill } from '../../sandbox/runner/runner.ts';
import { annotations, runAgent } from '../helpers/run.ts';
import { active, created, portOf, scriptedApi } from '../helpers/servers.ts';

/* What a process does with real signals, pipes and connections. test/run/agent-cancel.test.ts has the rest. */

/** Far longer than the runner gives a cancelled step. */
const longWait = { 'wait-minutes': '60', 'poll-interval-seconds': '300' };

/** A server that accepts connections and never responds; the run is cancelled at its first bytes. */
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

describe('a cancelled run', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'between two polls, by %s: ends by itself',
    async (signal) => {
      const api = await scriptedApi([created, active]);
      onTestFinished(() => api.close());
      const result = await runAgent({
        baseUrl: api.url,
        inputs: longWait,
        onLine: (line: string, _stream: string, kill: Kill) => {
          if (line.includes('started job')) kill(signal);
        },
      });
      expect(result.signal).toBeNull();
      expect(result.exitCode).toBe(1);
      expect(result.outputs).toMatchObject({
        result: 'cancelled',
        status: 'active',
        'job-id': 'job_8f2',
      });
      expect(annotations(result, 'error')).toHaveLength(1);
    },
  );

  it('by a second signal, while it saves its record: ends at once', async () => {
    let send: Kill = () => {};
    const cache = await startCacheService({
      fault() {
        send('SIGTERM');
        return 'silence';
      },
    });
    const api = await scriptedApi([created, active]);
    onTestFinished(async () => {
      await Promise.all([api.close(), cache.close()]);
    });
    const result = await runAgent({
      baseUrl: api.url,
      inputs: longWait,
      env: cache.variables('v2'),
      onLine: (line: string, _stream: string, kill: Kill) => {
        if (line.includes('started job')) {
          send = kill;
          kill('SIGINT');
        }
      },
      // So slow that the test would end before the deadline of a stopped step.
      speed: 0.01,
    });
    expect(result.signal).toBeNull();
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(annotations(result, 'warning')).toEqual([
      'The record of job job_8f2 could not be saved, because the run was cancelled: re-running the workflow starts a second job.',
    ]);
  });

  it.each(['API', 'proxy'])(
    'while a silent %s is connected to: the process ends, and nothing was sent',
    async (who) => {
      const { address, cancel } = await deafServer();
      const result = await runAgent({
        baseUrl: who === 'proxy' ? 'https://api.test' : `https://${address}`,
        env: who === 'proxy' ? { HTTPS_PROXY: `http://${address}` } : {},
        cancel,
        // So slow that the runner would kill the step before a time-out of a library ends it.
        speed: 0.1,
      });
      expect(result.signal).toBeNull();
      expect(result.exitCode).toBe(1);
      expect(result.outputs).toMatchObject({
        result: 'cancelled',
        message: 'The run was cancelled. Nothing was started.',
      });
      expect(result.stdout).not.toContain('next attempt');
    },
  );

  it('by a broken log, without a signal: writes the outputs', async () => {
    const api = await scriptedApi([created, active]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      onLine: (line: string) => line.includes('started job') && 'break the log',
    });
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toBe('');
  });
});
