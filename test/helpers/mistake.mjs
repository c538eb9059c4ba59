/**
 * Preloaded into a bundle's process with `node --import`, this makes functions of Node throw, as if the
 * bundle had a bug:
 *
 * - MISTAKE_AT_TIME_LIMIT=2: at the second time limit. Every request sets one.
 * - MISTAKE_AFTER='GET /v2/': in a callback, once the first such response has reached
 *   MISTAKE_AFTER_PART, which is `headers` or `trailers`.
 * - MISTAKE_AT_ROUNDING=1: whenever a number is rounded, so that the run fails, and then its conclusion.
 */
import { subscribe } from 'node:diagnostics_channel';

const {
  MISTAKE_AT_TIME_LIMIT = '0',
  MISTAKE_AFTER,
  MISTAKE_AFTER_PART,
  MISTAKE_AT_ROUNDING,
} = process.env;

function fail() {
  throw new TypeError('a secret detail');
}

const setTimeLimit = AbortSignal.timeout.bind(AbortSignal);
let timeLimits = 0;
AbortSignal.timeout = (delayMs) => {
  timeLimits += 1;
  return timeLimits === Number(MISTAKE_AT_TIME_LIMIT) ? fail() : setTimeLimit(delayMs);
};

if (MISTAKE_AT_ROUNDING !== undefined) {
  Math.round = fail;
}

let hasFailed = false;
subscribe(`undici:request:${MISTAKE_AFTER_PART}`, ({ request }) => {
  const isIt = `${request.method} ${request.path}`.startsWith(MISTAKE_AFTER ?? '\0');
  if (isIt && !hasFailed) {
    hasFailed = true;
    setImmediate(fail);
  }
});
