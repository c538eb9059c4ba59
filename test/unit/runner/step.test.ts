import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { outOfGrace, watchForUncaught } from '../../../src/runner/uncaught.ts';

/** As much of a process as is listened to. */
function listenedTo() {
  const emitter = new EventEmitter();
  return { emitter, broken: watchForUncaught(emitter as unknown as NodeJS.Process) };
}

describe('an error that nothing caught', () => {
  it('breaks the step off, with the first one as the reason', () => {
    const { emitter, broken } = listenedTo();
    expect(broken.aborted).toBe(false);
    const first = new TypeError('first');
    emitter.emit('uncaughtException', first);
    emitter.emit('uncaughtException', new TypeError('second'));
    expect(broken.reason).toBe(first);
  });

  it('leaves what goes on a moment to stop, and no more', async () => {
    const broken = new AbortController();
    const grace = outOfGrace(broken.signal);
    const first = new TypeError('first');
    broken.abort(first);
    const soon = new Promise((resolve) => setImmediate(() => resolve('still going on')));
    await expect(Promise.race([grace, soon])).resolves.toBe('still going on');
    await expect(grace).rejects.toBe(first);
  });
});
