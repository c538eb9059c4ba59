/**
 * Parses a `Retry-After` header, which has seconds or a date.
 *
 * @param nowMs the current time, milliseconds since 1970
 * @returns milliseconds to wait, 0 for a date in the past; `undefined` for a missing or invalid header
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) {
    return Number(text) * 1000;
  }
  // Only HTTP's date format, because Date.parse would take "-5" for a year.
  const moment = /^[A-Za-z]{3,9}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs);
}
