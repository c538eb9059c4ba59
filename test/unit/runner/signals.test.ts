import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/runner/errors.ts';
import { watchForCancel } from '../../../src/runner/signals.ts';

/** As much of a process as can be signalled. */
function signalled() {
  const stdout = new EventEmitter();
  const emitter = Object.assign(new EventEmitter(), { stdout });
  return { emitter, stdout, cancelled: watchForCancel(emitter as unknown as NodeJS.Process) };
}

describe('a run is cancelled', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGBREAK'])('by %s, and a second one kills nothing', (signal) => {
    const { emitter, cancelled } = signalled();
    expect(cancelled.aborted).toBe(false);
    emitter.emit(signal);
    expect(cancelled.reason).toEqual(new CancelledError(`received ${signal}`));
    expect(emitter.listenerCount(signal)).toBe(1);
  });

  it('by a log that breaks', () => {
    const { stdout, cancelled } = signalled();
    stdout.emit('error', new Error('EPIPE'));
    expect(cancelled.reason).toEqual(new CancelledError('the log is no longer read'));
  });
});
