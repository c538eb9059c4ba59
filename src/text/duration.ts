const dayMs = 86_400_000;

/** Formats a duration for people: `45 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(spanMs: number): string {
  const seconds = Math.round(spanMs / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? joined(`${minutes} min`, seconds % 60, 's')
    : joined(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

/**
 * Formats the end of a duration that starts now: `until 2026-01-05 08:40 UTC (40 min)`.
 * @param nowMs the current time, milliseconds since 1970
 */
export function untilWhen(spanMs: number, nowMs: number): string {
  if (spanMs > 30 * dayMs) {
    return 'for more than 30 days';
  }
  const moment = new Date(nowMs + spanMs).toISOString();
  return `until ${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC (${duration(spanMs)})`;
}

function joined(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest} ${unit}`;
}
