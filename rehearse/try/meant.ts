/** Part of a name that may be misspelt: in three letters one, in nine letters three. */
const misspeltPart = 1 / 3;

/** The known name that a misspelt one was probably meant to be. */
export function meant(misspelt: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
  const [best] = known
    .map((name) => ({ name, edits: countEdits(plain(misspelt), plain(name)) }))
    .filter(({ name, edits }) => edits <= plain(name).length * misspeltPart)
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name;
}

/** How many letters have to be added, removed or replaced: the Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [removed, letter] of [...from].entries()) {
    const next = [removed + 1];
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
