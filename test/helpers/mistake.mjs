/**
 * Preloaded into a bundle's process with `node --import`, this has Node itself fail where nobody
 * expects it to, as if the bundle had made a mistake:
 *
 * - MISTAKE_AT_TIME_LIMIT=2 at the second time limit that is set, and one is set to every request;
 * - MISTAKE_AFTER='GET /v2/' in a callback that nobody waits for, once the first such answer has come
 *   to its MISTAKE_AFTER_PART: headers or trailers;
 * - MISTAKE_AT_ROUNDING=1 at every rounding, so that the story fails and its conclusion after it.
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
