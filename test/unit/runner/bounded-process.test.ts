import { describe, expect, it } from 'vitest';
import { runBounded, workerBeside } from '../../../src/runner/bounded-process.ts';

const busy = new URL('../../fixtures/busy.worker.ts', import.meta.url);
const never = new AbortController().signal;

function run(doing: string, { timeoutMs = 20_000, signal = never } = {}) {
  return runBounded<string, unknown>(busy, doing, { timeoutMs, memoryMb: 32, signal });
}

describe('a worker within bounds', () => {
  it('returns its output, and sees no environment variables', async () => {
    expect(await run('answer')).toEqual({ kind: 'done', output: [] });
  });

  it.each([
    ['time', 'spin', 200],
    ['memory', 'fill', 20_000],
    ['stack', 'overflow', 20_000],
  ])('is ended if it runs out of %s', async (_what, doing, timeoutMs) => {
    expect(await run(doing, { timeoutMs })).toEqual({ kind: 'exhausted' });
  });

  it.runIf(process.platform === 'linux')('may wait longer than it may work', async () => {
    expect(await run('sleep', { timeoutMs: 300 })).toEqual({ kind: 'done', output: 'rested' });
  });

  it('may not wait forever', async () => {
    expect(await run('wait', { timeoutMs: 100 })).toEqual({ kind: 'exhausted' });
  });

  it('has sent its parts before it runs out of time', async () => {
    const parts: unknown[] = [];
    const bounds = { timeoutMs: 300, memoryMb: 32, signal: never };
    const result = await runBounded(busy, 'report', bounds, { onPart: (part) => parts.push(part) });
    expect(result).toEqual({ kind: 'exhausted' });
    expect(parts.map((part) => String(part).length)).toEqual([3, 1_000_000]);
  });

  it('fails with its own error', async () => {
    await expect(run('fail')).rejects.toThrow('A worker failed: TypeError: a mistake');
  });

  it('fails if it ends without a message', async () => {
    await expect(run('leave')).rejects.toThrow('A worker ended too soon.');
  });

  it('is ended by a cancel, before and in the middle', async () => {
    const cancel = new AbortController();
    const running = run('spin', { signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await expect(run('answer', { signal: cancel.signal })).rejects.toThrow('cancelled');
  });
});

it.each([
  ['file:///a/src/agent/prompt/x.ts', 'file:///a/src/agent/prompt/y.worker.ts'],
  ['file:///a/dist/agent/20.index.js', 'file:///a/dist/agent/y.worker.js'],
])('the worker next to %s', (module, worker) => {
  expect(workerBeside(module, 'y.worker').href).toBe(worker);
});
