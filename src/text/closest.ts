/**
 * Finds the known word that somebody who wrote `word` probably meant: a word that differs by a slip of the keyboard, or
 * else the shortest word that begins with `word`. `undefined` if there is no such word.
 */
export function closest(word: string, known: readonly string[]): string | undefined {
  const longer = known
    .filter((candidate) => word.length > 2 && candidate.startsWith(word))
    .toSorted((a, b) => a.length - b.length);
  return known.find((candidate) => isSlip(word, candidate)) ?? longer[0];
}

/** Whether two words differ by two swapped letters, or by one letter that only one of the words has. */
function isSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) {
    start += 1;
  }
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return (
    shorter > 3 &&
    ((isSwapped && a.slice(start + 2) === b.slice(start + 2)) ||
      a.slice(start + 1) === b.slice(start) ||
      a.slice(start) === b.slice(start + 1))
  );
}
