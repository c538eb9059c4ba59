/** Longer words are no slips of the pen, and comparing them would take long. */
const maxLength = 100;

/**
 * The candidate that a misspelt word was probably meant to be; `undefined` if none is close. At most a
 * third of the letters may be wrong, missing, too many or swapped with their neighbours.
 */
export function closestTo<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const plain = plainWord(word);
  if (plain.length > maxLength) {
    return undefined;
  }
  const [closest] = candidates
    .map((candidate) => ({ candidate, distance: distanceBetween(plain, plainWord(candidate)) }))
    .filter(
      ({ candidate, distance }) =>
        distance <= Math.max(1, Math.max(plain.length, candidate.length) / 3),
    )
    .sort((one, other) => one.distance - other.distance);
  return closest?.candidate;
}

function plainWord(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/gu, '-');
}

/** The Damerau–Levenshtein distance, of adjacent swaps only. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY;
}
