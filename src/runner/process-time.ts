import { readFileSync } from 'node:fs';
import { timeLimit } from '../network/timer.ts';

/** On a busy machine, a process mostly waits for its turn; but not forever. */
const mostTimesAsLong = 5;

/** A process that has nearly used its time is not asked more often. */
const leastIntervalMs = 50;

/** Linux reports times in this unit on every common machine. */
const tickMs = 10;

/**
 * Calls `onLimit` when a process has worked for a duration from now. On Linux this is processor time, so
 * that an honest process does not pay for others on a busy machine, and at most five times as much real
 * time. Elsewhere it is real time.
 */
export function limitTime(
  pid: number | undefined,
  limitMs: number,
  onLimit: () => void,
  unless: AbortSignal,
): void {
  const startMs = performance.now();
  const usedBeforeMs = processorMsOf(pid);
  const check = () => {
    const waitedMs = performance.now() - startMs;
    const usedMs = processorMsOf(pid);
    const isKnown = usedMs !== undefined && usedBeforeMs !== undefined;
    const workedMs = isKnown ? usedMs - usedBeforeMs : waitedMs;
    const leftMs = Math.min(limitMs - workedMs, limitMs * mostTimesAsLong - waitedMs);
    if (leftMs <= 0) {
      onLimit();
    } else {
      after(Math.max(leftMs, leastIntervalMs), check, unless);
    }
  };
  after(limitMs, check, unless);
}

/** Calls `callback` after the duration, unless the signal is aborted first. */
export function after(durationMs: number, callback: () => void, unless: AbortSignal): void {
  timeLimit(durationMs).addEventListener('abort', callback, { signal: unless });
}

/** User and system together; `undefined` where it cannot be known. */
function processorMsOf(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) {
    return undefined;
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * tickMs;
    return Number.isNaN(ms) ? undefined : ms;
  } catch {
    // The process has ended, or the machine hides it.
    return undefined;
  }
}
