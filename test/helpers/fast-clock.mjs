/**
 * Preloaded into a bundle's process with `node --import`, this makes its clock run FAST_CLOCK times as
 * fast: timers, time-outs and the monotonic clock together, so that the bundle cannot notice. Dates are
 * not changed.
 *
 * Delays are treated as Node treats them before they are scaled: fractions, and delays over 2^31-1 ms,
 * fail here if they fail on the real clock.
 *
 * With FAST_CLOCK_AFTER, the clock only becomes fast after that many complete responses, because
 * time-outs are scaled too, and on a busy machine even a good response would come too late.
 */
// Before the timers are replaced: a process of its own needs real time to start.
import 'node:child_process';
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

const { FAST_CLOCK = '1', FAST_CLOCK_AFTER = '0' } = process.env;
const speed = Number(FAST_CLOCK);
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

/** Node truncates fractions, and uses 1 ms for durations that it cannot represent. */
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
  // Only for its validation: Node throws for an invalid duration.
  real.timeout(delayMs);
  // A response has the time that a busy machine needs.
  return real.timeout(Math.max(Math.ceil(scaled(delayMs)), Math.min(delayMs, 3000)));
};
syncBuiltinESMExports();

/** The date of the step, if it is not the real one. */
const { TODAY = '' } = process.env;
if (TODAY !== '') {
  const todayMs = Date.parse(TODAY);
  Date.now = () => todayMs;
}
