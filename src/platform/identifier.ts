/**
 * Whether a text can be a project id or a job id: letters, digits, `-`, `_`, `.` and `:`. URLs would
 * drop `.` and `..`, so these are not allowed.
 */
export function isIdentifier(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && text !== '.' && text !== '..';
}

/** The rule, for error messages. */
export const identifierRule = 'letters, digits, "-", "_", "." and ":"';
