/** A span of time for people, from milliseconds: `45 s`, `3 min 20 s`, `1 h 5 min`. */
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

function joined(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest} ${unit}`;
}
