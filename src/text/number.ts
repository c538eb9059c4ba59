/** Formats a whole number for people, with all digits: `12,345`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a share between 0 and 1 for people: `12%`, or `0.4%` if it would round to less than one percent. */
export function percent(share: number): string {
  const value = share * 100;
  const isSmall = value > 0 && value < 0.95;
  return `${isSmall ? Math.max(value, 0.1).toFixed(1) : Math.round(value)}%`;
}

/** Formats a change for people: `+1,200 (+12%)`, `−3`, `±0`; no percentage if it was zero before. */
export function change(now: number, before: number): string {
  const difference = now - before;
  const amount = signed(difference, grouped(Math.abs(difference)));
  return difference === 0 || before === 0
    ? amount
    : `${amount} (${signed(difference, percent(Math.abs(difference) / before))})`;
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
