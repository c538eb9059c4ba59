/**
 * Preloaded into a bundle's process with `node --import`, this makes its time run FAST_CLOCK times
 * as fast: timers, time-outs and the monotonic clock together, so that nothing in the bundle can
 * tell. The calendar (Date) is left alone.
 *
 * With FAST_CLOCK_AFTER it begins to run only after so many whole answers: time-outs shrink with the
 * time, and on a busy machine even a sound answer would come too late for them.
 */
import { subscribe } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  sleep: timersPromises.setTimeout,
  now: performance.now.bind(performance),
  timeout: AbortSignal.timeout.bind(AbortSignal),
};

const { FAST_CLOCK = '1', FAST_CLOCK_AFTER = '0', NODE_V8_COVERAGE } = process.env;
// Where coverage is measured, a step loads many small files, and its time limits must bear that.
const speed = Number(FAST_CLOCK) / (NODE_V8_COVERAGE === undefined ? 1 : 4);
let answersToCome = Number(FAST_CLOCK_AFTER);
let factor = answersToCome === 0 ? speed : 1;
let slowMs = 0;

subscribe('undici:request:trailers', () => {
  answersToCome -= 1;
  if (answersToCome === 0) {
    slowMs = real.now() * (1 - speed);
    factor = speed;
  }
});

globalThis.setTimeout = (callback, delayMs = 0, ...rest) =>
  real.setTimeout(callback, delayMs / factor, ...rest);
globalThis.setInterval = (callback, delayMs = 0, ...rest) =>
  real.setInterval(callback, delayMs / factor, ...rest);
timers.setTimeout = globalThis.setTimeout;
timersPromises.setTimeout = (delayMs, ...rest) => real.sleep(delayMs / factor, ...rest);
performance.now = () => slowMs + real.now() * factor;
AbortSignal.timeout = (delayMs) => real.timeout(Math.ceil(delayMs / factor));
syncBuiltinESMExports();
