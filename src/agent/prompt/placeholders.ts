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
 * Rejects misspelt placeholders, which would otherwise reach the agent unchanged: `{{issue.title}}`,
 * `{{github.event.issue.title}}`, `{{change}}`, `{{chagnes}}`, `{{evnet.issue.title}}`, `{{fiel:a.txt}}`.
 *
 * @param names the placeholders for variables that have no value
 * @param input the input that the prompt comes from
 * @throws ActionError with the correct spelling
 */
export function refuseMisspelt(names: readonly string[], input: string, event: EventPayload): void {
  for (const name of names) {
    const advice = adviceAbout(name, event);
    if (advice !== undefined) {
      const [problem, whatToDo] = advice;
      const placeholder = quoted(`{{${name}}}`);
      throw inputError(input, `has the placeholder ${placeholder}, which ${problem}`, whatToDo);
    }
  }
}

type Advice = readonly [problem: string, whatToDo: string];

function adviceAbout(inside: string, event: EventPayload): Advice | undefined {
  const [, first = '', mark = '', rest = ''] = /^([^\s.:]+)\s*([.:]?)\s*(.*)$/u.exec(inside) ?? [];
  if (first === 'github' && rest.startsWith('event.')) {
    return ['is not supported', `write ${quoted(`{{${rest}}}`)}`];
  }
  if (first === 'github' && rest !== '') {
    const name = inside.split('.').at(-1) ?? '';
    return [
      'is not supported',
      `pass the value in variables, as ${quoted(`${name}: \${{ ${inside} }}`)}, and write ${quoted(`{{${name}}}`)}`,
    ];
  }
  if (mark === '.' && isEventField(first, event)) {
    return ['is a field of the event', `write ${quoted(`{{event.${inside}}}`)}`];
  }
  return meantChanges(inside) ?? meantWord(first, mark, rest);
}

/** `change` or `changes`, and behind it nothing, a mark, or a word for patches, but no other name. */
const misspeltChanges = /^changes?\b\s*(?:$|[^-_\s\p{L}\p{N}]|[-_\s]*(?:patch|diff))/iu;

function meantChanges(inside: string): Advice | undefined {
  if (!misspeltChanges.test(inside)) {
    return undefined;
  }
  const whatToDo = /^changes?$/i.test(inside)
    ? 'write "{{changes}}"'
    : 'write "{{changes:patches}}", or "{{changes}}" without patches';
  return ['is not supported', whatToDo];
}

/** Each word with the mark behind it: other names are too likely to resemble it by chance. */
function meantWord(first: string, mark: string, rest: string): Advice | undefined {
  const words = { '.': ['event'], ':': ['file', 'changes'], '': ['changes'] }[mark] ?? [];
  const word = closest(first.toLowerCase(), words);
  return word === undefined
    ? undefined
    : ['is not supported', `write ${quoted(`{{${word}${mark}${rest}}}`)}`];
}

function isEventField(name: string, event: EventPayload): boolean {
  const isThere = event.kind === 'payload' && findEventField(event.payload, [name]) !== undefined;
  return isThere || wellKnownFields.has(name);
}
