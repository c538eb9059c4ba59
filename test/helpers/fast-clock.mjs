/**
 * Preloaded into a bundle's process with `node --import`, this makes its time run FAST_CLOCK times
 * as fast: timers, time-outs and the monotonic clock together, so that nothing in the bundle can
 * tell. The calendar (Date) is left alone.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const { FAST_CLOCK = '1', NODE_V8_COVERAGE } = process.env;
// Where coverage is measured, a step loads many small files, and its time limits must bear that.
const factor = Number(FAST_CLOCK) / (NODE_V8_COVERAGE === undefined ? 1 : 4);
const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  sleep: timersPromises.setTimeout,
  now: performance.now.bind(performance),
  timeout: AbortSignal.timeout.bind(AbortSignal),
};

globalThis.setTimeout = (callback, delayMs = 0, ...rest) =>
  real.setTimeout(callback, delayMs / factor, ...rest);
globalThis.setInterval = (callback, delayMs = 0, ...rest) =>
  real.setInterval(callback, delayMs / factor, ...rest);
timers.setTimeout = globalThis.setTimeout;
timersPromises.setTimeout = (delayMs, ...rest) => real.sleep(delayMs / factor, ...rest);
performance.now = () => real.now() * factor;
AbortSignal.timeout = (delayMs) => real.timeout(Math.ceil(delayMs / factor));
syncBuiltinESMExports();
