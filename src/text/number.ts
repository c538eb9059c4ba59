/** A whole number for people: `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** A share of something, 0 to 1, for people: `12%`, `0.4%` below one percent. */
export function percent(share: number): string {
  const value = share * 100;
  const isSmall = value > 0 && value < 1;
  return `${isSmall ? Math.max(value, 0.1).toFixed(1) : Math.round(value)}%`;
}

/** How a number changed, for people: `+1,200 (+12%)`, `−3`, `±0`; no percentage from zero on. */
export function change(now: number, before: number): string {
  const difference = now - before;
  const amount = signed(difference, grouped(Math.abs(difference)));
  return before === 0 || difference === 0
    ? amount
    : `${amount} (${signed(difference, percent(Math.abs(difference) / before))})`;
}

/** How a share changed, in percentage points: `+3.1 points`. */
export function points(now: number, before: number): string {
  const difference = Math.round((now - before) * 1000) / 10;
  return `${signed(difference, Math.abs(difference).toFixed(1))} points`;
}

function signed(number: number, text: string): string {
  const sign = number > 0 ? '+' : '−';
  return `${number === 0 ? '±' : sign}${text}`;
}
