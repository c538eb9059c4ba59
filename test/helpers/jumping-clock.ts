import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { toTimerMs } from '../../src/network/timer.ts';
import { type Clock, realClock } from '../../src/runner/clock.ts';

/*
 * The clock of a run in the process of the test. It stands still while something is under way: a request
 * that a server will answer, a process, a file. Then it jumps to the next moment that something waits for.
 * So a run takes no longer than its requests, and a busy machine changes nothing.
 */

interface Timer {
  readonly atMs: number;
  readonly isSleep: boolean;
  readonly fire: () => void;
}

/** How many clocks run: a run can begin while another one waits. */
let running = 0;
const timers = new Set<Timer>();
/** Like the real clock, it has fractions, and each delay ends late: whole milliseconds would hide bugs. */
let nowMs = 1_000.237_9;
const lagMs = 0.018_4;

/** Requests under way, and of each socket's port the last one that was sent there. */
const requests = new Set<object>();
const sentFrom = new Map<number, object>();
const unanswered = new Set<object>();

function end(request: object): void {
  requests.delete(request);
  unanswered.delete(request);
}

const events: Readonly<Record<string, (request: object, message: object) => void>> = {
  'request:create'(request) {
    // A CONNECT ends without an event, and there is none without a request that it is for.
    if (Reflect.get(request, 'method') !== 'CONNECT') {
      requests.add(request);
    }
  },
  'client:sendHeaders'(request, message) {
    sentFrom.set(Reflect.get(Object(Reflect.get(message, 'socket')), 'localPort'), request);
  },
  'request:trailers': end,
  'request:error': end,
};

/** What undici says is heard only while a clock runs: other tests look whether anybody listens. */
const channels = Object.entries(events).map(([event, listen]) => ({
  name: `undici:${event}`,
  listener: (message: unknown) =>
    listen(Object(Reflect.get(Object(message), 'request')), Object(message)),
}));

/** Says that the request from this port gets no response, so that its time limit is all that comes. */
export function leaveUnanswered(port: number | undefined): void {
  const request = sentFrom.get(port ?? 0);
  if (request !== undefined && requests.delete(request)) {
    unanswered.add(request);
  }
}

function isBusy(): boolean {
  return (
    requests.size > 0 ||
    process.getActiveResourcesInfo().some((name) => /^(?:ProcessWrap|FSReq|CloseReq)/.test(name))
  );
}

/** Turns of the event loop in which what has just come in leads to the next request. */
const quietTurns = 20;
let quiet = 0;
let isTurning = false;

function turn(): void {
  const next = [...timers].toSorted((a, b) => a.atMs - b.atMs)[0];
  isTurning = next !== undefined;
  if (next === undefined) {
    return;
  }
  quiet = isBusy() ? 0 : quiet + 1;
  const isAwaited = unanswered.size > 0 || [...timers].some(({ isSleep }) => isSleep);
  if (isAwaited && quiet > quietTurns) {
    nowMs = Math.max(next.atMs + lagMs, nowMs);
    timers.delete(next);
    next.fire();
    quiet = 1;
  }
  if (quiet === 0 || quiet > quietTurns) {
    setTimeout(turn, 1).unref();
  } else {
    setImmediate(turn);
  }
}

/** @returns a function that takes the timer back */
function after(durationMs: number, isSleep: boolean, fire: () => void): () => void {
  const timer = { atMs: nowMs + durationMs, isSleep, fire };
  timers.add(timer);
  if (!isTurning) {
    isTurning = true;
    setImmediate(turn);
  }
  return () => void timers.delete(timer);
}

/** Starts a clock, which also governs the time limits of requests. @returns the clock, and how to stop it */
export function startJumpingClock(today: string | undefined): { clock: Clock; stop: () => void } {
  const { timeout } = AbortSignal;
  if (running === 0) {
    for (const { name, listener } of channels) subscribe(name, listener);
  }
  running += 1;
  AbortSignal.timeout = (durationMs) => {
    // Only for its validation: Node throws for a duration with a fraction.
    timeout.call(AbortSignal, durationMs);
    const limit = new AbortController();
    after(durationMs, false, () => limit.abort(new DOMException('Timed out.', 'TimeoutError')));
    return limit.signal;
  };
  const sinceMs = nowMs;
  const todayStartMs = today === undefined ? Date.now() : Date.parse(today);
  return {
    clock: {
      ...realClock,
      nowMs: () => nowMs,
      epochMs: () => Math.floor(todayStartMs + nowMs - sinceMs),
      sleep: (durationMs, signal) =>
        new Promise((resolve, reject) => {
          signal.throwIfAborted();
          const remove = after(toTimerMs(durationMs), true, () => {
            signal.removeEventListener('abort', onAbort);
            resolve();
          });
          const onAbort = () => {
            remove();
            reject(signal.reason);
          };
          signal.addEventListener('abort', onAbort, { once: true });
        }),
    },
    stop() {
      AbortSignal.timeout = timeout;
      running -= 1;
      if (running === 0) {
        for (const { name, listener } of channels) unsubscribe(name, listener);
        timers.clear();
        requests.clear();
        unanswered.clear();
        sentFrom.clear();
      }
    },
  };
}
