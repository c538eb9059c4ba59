/** Helpers for values of `uses:` and `with:`. */

/** Whether an action or workflow is in another repository, rather than a local path or a Docker image. */
export function isRemote(uses: string): boolean {
  return !/^(?:\.\/|\.github\/|docker:)/.test(uses);
}

export function isCheckout(uses: string): boolean {
  return uses.startsWith('actions/checkout@');
}

/** The value as a list of one string; an empty list if it is empty or has an expression. */
export function literal(value: unknown): readonly string[] {
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' || text.includes('${{') ? [] : [text];
}

/** Every distinct match of the pattern's first group. */
export function findAll(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []));
}

export function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
