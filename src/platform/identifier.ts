/**
 * What a project id or a job id may look like, given or received: letters, digits, `-`, `_`, `.`
 * and `:`, and neither `.` nor `..`, which a URL would resolve away.
 */
export function isIdentifier(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && text !== '.' && text !== '..';
}

/** The rule for people. */
export const identifierRule = 'letters, digits, "-", "_", "." and ":"';
