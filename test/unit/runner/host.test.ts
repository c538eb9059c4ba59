import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hostOf, watchForStop } from '../../../src/runner/host.ts';
import { CancelledError } from '../../../src/text/error.ts';

/** The parts of a process that signals need. */
function signalled() {
  const stdout = new EventEmitter();
  const exits: number[] = [];
  const exit = (code: number) => exits.push(code);
  const emitter = Object.assign(new EventEmitter(), { stdout, exit });
  const { signal, secondSignal } = watchForStop(emitter as unknown as NodeJS.Process);
  return { emitter, stdout, stopped: signal, secondSignal, exits };
}

describe('a run is cancelled', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'])('by %s, which kills nothing', (signal) => {
    const { emitter, stopped, secondSignal } = signalled();
    expect(stopped.aborted).toBe(false);
    emitter.emit(signal);
    expect(stopped.reason).toEqual(new CancelledError(`received ${signal}`));
    expect(emitter.listenerCount(signal)).toBe(1);
    expect(secondSignal.aborted).toBe(false);
  });

  it('by a log that breaks, however often, which is no signal', () => {
    const { emitter, stdout, stopped, secondSignal } = signalled();
    stdout.emit('error', new Error('EPIPE'));
    stdout.emit('error', new Error('EPIPE'));
    emitter.emit('SIGTERM');
    expect(stopped.reason).toEqual(new CancelledError('the log is no longer read'));
    expect(secondSignal.aborted).toBe(false);
  });

  it('by a second signal at once, and then the process ends, though not before it could write', async () => {
    const { emitter, secondSignal, exits } = signalled();
    emitter.emit('SIGINT');
    emitter.emit('SIGTERM');
    expect(secondSignal.aborted).toBe(true);
    expect(exits).toEqual([]);
    await vi.waitUntil(() => exits.length > 0, { timeout: 60_000 });
    expect(exits).toEqual([1]);
  });
});

describe('the summary', () => {
  it('has all that was written to it, in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'summary-'));
    const file = join(folder, 'summary.md');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(file, 'Of an earlier step.\n');
    vi.stubEnv('GITHUB_STEP_SUMMARY', file);
    const { emitter } = signalled();
    const host = hostOf(Object.assign(emitter, { env: {}, argv: [] }) as unknown as NodeJS.Process);
    await host.writeSummary('# One');
    await host.writeSummary('Two');
    vi.unstubAllEnvs();
    expect(readFileSync(file, 'utf8')).toBe('Of an earlier step.\n# One\nTwo\n');
  });
});

describe('an error that nothing caught', () => {
  it('stops the step, with the first one as the reason', () => {
    const { emitter, stopped } = signalled();
    expect(stopped.aborted).toBe(false);
    const first = new TypeError('first');
    emitter.emit('uncaughtException', first);
    emitter.emit('uncaughtException', new TypeError('second'));
    expect(stopped.reason).toBe(first);
  });

  it('changes nothing in a cancelled run, and neither does a later signal', () => {
    const cancelled = signalled();
    cancelled.emitter.emit('SIGINT');
    cancelled.emitter.emit('uncaughtException', new TypeError('late'));
    expect(cancelled.stopped.reason).toBeInstanceOf(CancelledError);
    const broken = signalled();
    broken.emitter.emit('uncaughtException', new TypeError('first'));
    broken.emitter.emit('SIGINT');
    expect(broken.stopped.reason).toBeInstanceOf(TypeError);
  });
});

it('a step fails by the exit code of its process, and ends once the log is flushed', () => {
  const told: unknown[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    write: (text: string, flushed: () => void) => {
      told.push(text);
      flushed();
    },
  });
  const exit = () => told.push('exit');
  const process = Object.assign(new EventEmitter(), {
    env: {},
    argv: ['node', 'dist/agent/index.js'],
    stdout,
    exit,
    exitCode: 0,
  });
  const host = hostOf(process as unknown as NodeJS.Process);
  expect([host.env, host.entry]).toEqual([process.env, 'dist/agent/index.js']);
  host.setFailed();
  expect(process.exitCode).toBe(1);
  host.exit();
  expect(told).toEqual(['', 'exit']);
});
