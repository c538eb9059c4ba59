/** A piece of a prompt: plain text, or a placeholder in double braces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly text: string }
  | { readonly kind: 'event'; readonly path: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** Names that the other kinds of placeholder begin with. */
export const reservedNames: readonly string[] = ['event', 'file'];

/** What a variable may be called. */
export function isVariableName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name) && !reservedNames.includes(name);
}

/**
 * Splits a prompt at its placeholders: `{{name}}`, `{{event.issue.body}}`, `{{file:notes.txt}}`,
 * spaces inside the braces allowed. Other text in double braces stays text.
 */
export function splitPrompt(prompt: string): readonly Piece[] {
  const parts = prompt.split(/(\{\{[^{}\r\n]*\}\})/u);
  return parts.filter((part) => part !== '').map(readPiece);
}

function readPiece(text: string): Piece {
  const inside = /^\{\{\s*([^{}\r\n]*?)\s*\}\}$/u.exec(text)?.[1] ?? '';
  const file = /^file:\s*(.+)$/u.exec(inside)?.[1];
  if (file !== undefined) {
    return { kind: 'file', path: file };
  }
  if (/^event\.[^\s.]+(?:\.[^\s.]+)*$/u.test(inside)) {
    return { kind: 'event', path: inside.split('.').slice(1) };
  }
  return isVariableName(inside) ? { kind: 'variable', name: inside, text } : { kind: 'text', text };
}
