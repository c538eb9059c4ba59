/** Formats a number for people, with all digits: `12,345`, `12,345.67`. */
export function grouped(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: 20 });
}

/** Everything after the sixth decimal place is a rounding error. */
const maxPlaces = 6;

/** Adds numbers without the rounding errors of binary fractions: 0.3 and −0.1 are 0.2. */
export function sumOf(...terms: readonly number[]): number {
  const sum = terms.reduce((before, term) => before + term, 0);
  return Number(sum.toFixed(maxPlaces));
}

/** Formats a share between 0 and 1 for people: `12%`, or `0.4%` if it would round to less than one percent. */
export function percent(share: number): string {
  const value = share * 100;
  const isSmall = value > 0 && value < 0.95;
  return `${isSmall ? Math.max(value, 0.1).toFixed(1) : Math.round(value)}%`;
}

/** Formats a change for people: `+1,200 (+12%)`, `−3`, `±0`; no percentage if it was zero before. */
export function change(now: number, before: number): string {
  const difference = sumOf(now, -before);
  const amount = signed(difference, grouped(Math.abs(difference)));
  const relative = difference === 0 ? '' : relativeChange(now, before);
  return relative === '' ? amount : `${amount} (${relative})`;
}

/** Formats a relative change for people: `+12%`; an empty text if it was zero before. */
export function relativeChange(now: number, before: number): string {
  const difference = sumOf(now, -before);
  return before === 0 ? '' : signed(difference, percent(Math.abs(difference) / before));
}

/** Formats the change of a share in percentage points: `+3.1 points`. */
export function points(now: number, before: number): string {
  const difference = Math.round((now - before) * 1000) / 10;
  return `${signed(difference, Math.abs(difference).toFixed(1))} points`;
}

function signed(number: number, text: string): string {
  const sign = number > 0 ? '+' : '−';
  return `${number === 0 ? '±' : sign}${text}`;
}
