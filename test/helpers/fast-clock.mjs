/**
 * Preloaded into a bundle's process with `node --import`, this makes its time run FAST_CLOCK times
 * as fast: timers, time-outs and the monotonic clock together, so that nothing in the bundle can
 * tell. The calendar (Date) is left alone.
 *
 * What a timer is given is taken as Node itself takes it before it is scaled: a fraction or a delay
 * beyond 2^31-1 ms goes wrong here where it goes wrong on the real clock.
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

/** Node cuts fractions off, and takes 1 ms for what it cannot count. */
const taken = (delayMs) => (delayMs >= 1 && delayMs <= 2 ** 31 - 1 ? Math.trunc(delayMs) : 1);
const scaled = (delayMs) => taken(delayMs) / factor;

globalThis.setTimeout = (callback, delayMs, ...rest) =>
  real.setTimeout(callback, scaled(delayMs), ...rest);
globalThis.setInterval = (callback, delayMs, ...rest) =>
  real.setInterval(callback, scaled(delayMs), ...rest);
timers.setTimeout = globalThis.setTimeout;
timersPromises.setTimeout = (delayMs, ...rest) => real.sleep(scaled(delayMs), ...rest);
performance.now = () => slowMs + real.now() * factor;
AbortSignal.timeout = (delayMs) => {
  // For its judgement alone: Node throws at what it does not take.
  real.timeout(delayMs);
  return real.timeout(Math.ceil(scaled(delayMs)));
};
syncBuiltinESMExports();
