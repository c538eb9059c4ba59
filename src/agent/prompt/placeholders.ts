/** A piece of a prompt: plain text, or a placeholder in double braces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly text: string }
  | { readonly kind: 'event'; readonly path: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'changes'; readonly withPatches: boolean }
  /** Looks like a placeholder, but is not one. */
  | { readonly kind: 'unknown'; readonly inside: string; readonly text: string };

/** Names that other kinds of placeholders start with. */
export const reservedNames: readonly string[] = ['event', 'file', 'changes'];

/** Whether a variable may have this name. */
export function isVariableName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name) && !reservedNames.includes(name);
}

/**
 * Splits a prompt at its placeholders: `{{name}}`, `{{event.issue.body}}`, `{{file:notes.txt}}`,
 * `{{changes}}` and `{{changes:patches}}`. Spaces inside the braces are allowed.
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
  const changes = /^changes(?<patches>:\s*patches)?$/u.exec(inside)?.groups;
  if (changes !== undefined) {
    return { kind: 'changes', withPatches: changes['patches'] !== undefined };
  }
  if (isVariableName(inside)) {
    return { kind: 'variable', name: inside, text };
  }
  return /^[\p{L}_]/u.test(inside) ? { kind: 'unknown', inside, text } : { kind: 'text', text };
}

/** The first part of a name with dots, such as `issue` in `issue.title`. */
export function firstPartOf(inside: string): string | undefined {
  return /^([^\s.]+)(?:\.[^\s.]+)+$/u.exec(inside)?.[1];
}
