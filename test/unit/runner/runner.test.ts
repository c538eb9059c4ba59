import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { realClock } from '../../../src/runner/clock.ts';
import { hostOf } from '../../../src/runner/host.ts';
import { createRunner } from '../../../src/runner/runner.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** A runner of a process that gets signals. */
function signalled(clock = fakeClock()) {
  const stdout = new EventEmitter();
  const process = Object.assign(new EventEmitter(), { stdout, env: {}, argv: [], exit() {} });
  const host = hostOf(process as unknown as NodeJS.Process);
  return { clock, process, runner: createRunner(host, clock) };
}

it('a stopped step has 6 s from its first signal', async () => {
  const { clock, process, runner } = signalled();
  await soon();
  expect([clock.delaysMs, runner.deadline.aborted]).toEqual([[], false]);
  process.emit('SIGINT');
  await soon();
  expect([clock.delaysMs, runner.deadline.aborted]).toEqual([[6000], true]);
});

it('a stopped step has no time left after a second signal', async () => {
  const { process, runner } = signalled({ ...fakeClock(), sleep: realClock.sleep });
  process.emit('SIGINT');
  await soon();
  expect(runner.deadline.aborted).toBe(false);
  process.emit('SIGTERM');
  await soon();
  expect(runner.deadline.aborted).toBe(true);
});
