/**
 * Reads a `Retry-After` header: seconds, or a date.
 *
 * @param nowMs the present moment, milliseconds since 1970
 * @returns milliseconds to wait, 0 for a moment that is past; `undefined` for no header and for
 *   nonsense
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) {
    return Number(text) * 1000;
  }
  // A date in HTTP's form; Date.parse alone would take "-5" for a year.
  const moment = /^[A-Za-z]{3,9}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs);
}
