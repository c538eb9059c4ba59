import type { EventPayload } from '../../github/event.ts';
import { closest } from '../../text/closest.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import { findEventField } from './event-text.ts';

/** A piece of a prompt: plain text, or a placeholder in double braces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** Any name, also one that no variable may have. */
  | { readonly kind: 'variable'; readonly name: string; readonly text: string }
  | { readonly kind: 'event'; readonly path: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'changes'; readonly withPatches: boolean };

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
  return /^[\p{L}_]/u.test(inside)
    ? { kind: 'variable', name: inside, text }
    : { kind: 'text', text };
}

/**
 * Fields that people are likely to write without `event.` by mistake. The other top-level fields of the
 * current payload are recognised as well.
 */
const wellKnownFields: ReadonlySet<string> = new Set(
  'check_run client_payload comment commits deployment discussion head_commit inputs issue label milestone organization pull_request release repository review sender workflow_run'.split(
    ' ',
  ),
);

/**
 * Rejects a misspelt placeholder, which would otherwise reach the agent unchanged: `{{issue.title}}`,
 * `{{github.event.issue.title}}`, `{{change}}`, `{{chagnes}}`, `{{evnet.issue.title}}`, `{{fiel:a.txt}}`.
 *
 * @param name what a placeholder without a value has between its braces
 * @param input the input that the prompt comes from
 * @throws ActionError with the correct spelling
 */
export function refuseMisspelt(name: string, input: string, event: EventPayload): void {
  const [, word = '', mark = '', rest = ''] = /^([^.:]+)(?:([.:])\s*(.*))?$/u.exec(name) ?? [];
  const first = word.trim();
  const subject = `has the placeholder ${quoted(`{{${name}}}`)}, which`;
  if (mark === '.' && isEventField(first, event)) {
    const advice = `write ${quoted(`{{event.${name}}}`)}`;
    throw inputError(input, `${subject} is a field of the event`, advice);
  }
  const isContext = first === 'github' && rest !== '';
  const advice = isContext ? adviceOnContext(rest) : adviceOnWord(first, mark, rest);
  if (advice !== undefined) {
    throw inputError(input, `${subject} is not supported`, advice);
  }
}

function isEventField(name: string, event: EventPayload): boolean {
  const isThere = event.kind === 'payload' && findEventField(event.payload, [name]) !== undefined;
  return isThere || wellKnownFields.has(name);
}

/** @param property what follows `github.` */
function adviceOnContext(property: string): string {
  if (property.startsWith('event.')) {
    return `write ${quoted(`{{${property}}}`)}`;
  }
  const name = property.split('.').at(-1) ?? '';
  const variable = `${name}: \${{ github.${property} }}`;
  return `pass the value in variables, as ${quoted(variable)}, and write ${quoted(`{{${name}}}`)}`;
}

/** Each word with the mark behind it: other names are too likely to resemble it by chance. */
function adviceOnWord(first: string, mark: string, rest: string): string | undefined {
  if (/^changes?\s*(?:[.:]|[-_\s]*(?:patch|diff))/i.test(`${first}${mark}${rest}`)) {
    return 'write "{{changes:patches}}", or "{{changes}}" without patches';
  }
  const words = { '.': ['event'], ':': ['file', 'changes'], '': ['changes'] }[mark] ?? [];
  const word = closest(first.toLowerCase(), words);
  return word === undefined ? undefined : `write ${quoted(`{{${word}${mark}${rest}}}`)}`;
}
