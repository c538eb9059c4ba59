/** A line of the table. */
export type Measurement = readonly [what: string, result: string, limit: string];

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length / 2))] ?? Number.NaN;
}

/** `3.14 × (72 ms against 23 ms)` */
export function ratio(ours: number, theirs: number, unit: string): string {
  return `${(ours / theirs).toFixed(2)} × (${ours.toFixed(0)} ${unit} against ${theirs.toFixed(0)} ${unit})`;
}
