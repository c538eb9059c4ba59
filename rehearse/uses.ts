/** What a value of `uses:` says, and small helpers for reading it. */

/** Whether it lies in a repository, and not in this one or with Docker. */
export function isElsewhere(uses: string): boolean {
  return !/^(?:\.\/|\.github\/|docker:)/.test(uses);
}

export function isCheckout(uses: string): boolean {
  return uses.startsWith('actions/checkout@');
}

/** `owner/name@reference`, whatever path stands between. */
export function repositoryOf(uses: string): string {
  return uses.replace(/^([^/]+\/[^/@]+)[^@]*/, '$1');
}

/** What stands there, unless it is empty or an expression. */
export function writtenOut(value: unknown): readonly string[] {
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' || text.includes('${{') ? [] : [text];
}

/** What the pattern's first group finds, each once. */
export function findAll(text: string, pattern: RegExp): readonly string[] {
  return unique([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []));
}

export function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
