const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Formats a duration for people: `45 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(spanMs: number): string {
  const seconds = Math.round(spanMs / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? withRest(`${minutes} min`, seconds % 60, 's')
    : withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

/**
 * Formats the end of a duration that starts now: `until 2026-01-05 08:40 UTC (40 min)`. The end is rounded up.
 * @param nowMs the current time, milliseconds since 1970
 */
export function untilWhen(spanMs: number, nowMs: number): string {
  if (spanMs > 30 * dayMs) {
    return 'for more than 30 days';
  }
  return `until ${momentAfter(nowMs + spanMs)} (${duration(spanMs)})`;
}

/**
 * Formats two moments for people, as two parts of a sentence: `2026-01-05 08:00 UTC` and `08:40 UTC`. The
 * second one has a date only if it is on another day, and is rounded up, so that it is never too early.
 * @param fromMs milliseconds since 1970, as `toMs`
 */
export function fromTo(fromMs: number, toMs: number): readonly [from: string, to: string] {
  const from = moment(fromMs);
  const to = momentAfter(toMs);
  const [date = '', ...time] = to.split(' ');
  return [from, from.startsWith(date) ? time.join(' ') : to];
}

/**
 * Formats a moment for people: `2026-01-05 08:40 UTC`.
 * @param ms milliseconds since 1970
 */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A moment that is rounded up to a minute, so that nobody who waits for it is too early. */
function momentAfter(ms: number): string {
  return moment(Math.ceil(ms / minuteMs) * minuteMs);
}

function withRest(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest} ${unit}`;
}
