import type { EventPayload } from '../../github/event.ts';
import { closest } from '../../text/closest.ts';
import { inputError } from '../../text/error.ts';
import { listed, oneLine, quoted } from '../../text/plain.ts';
import { findEventField } from './event-text.ts';

/** A piece of a prompt: plain text, or a placeholder in double braces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** `name` can be a name that no variable may have, such as `name | upper`. */
  | { readonly kind: 'variable'; readonly name: string; readonly text: string }
  | { readonly kind: 'event'; readonly path: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'changes'; readonly withPatches: boolean };

/** The first words of the other kinds of placeholders, so no variable may have these names. */
export const reservedNames: readonly string[] = ['event', 'file', 'changes'];

/** True if the input `variables` may define a value of this name. */
export function isVariableName(name: string): boolean {
  return !reservedNames.includes(name) && /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name);
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
  return /^[\p{L}_]/u.test(inside)
    ? { kind: 'variable', name: inside, text }
    : { kind: 'text', text };
}

/**
 * People are likely to forget `event.` before these fields. The top-level fields of the current payload are
 * recognised as well.
 */
const wellKnownFields: ReadonlySet<string> = new Set(
  'check_run client_payload comment commits deployment discussion head_commit inputs issue label milestone organization pull_request release repository review sender workflow_run'.split(
    ' ',
  ),
);

/**
 * Rejects placeholders that nothing fills. People would pay for a job that got them, and then for another one with the
 * values.
 *
 * @param pieces texts, and placeholders for variables that have no value
 * @param input the input that the prompt comes from
 * @throws ActionError with the correct spelling, or with both ways out: a value, or the braces as a value
 */
export function refuseUnfilled(pieces: readonly Piece[], input: string, event: EventPayload): void {
  for (const piece of pieces) {
    if (piece.kind === 'variable') {
      refuseMisspelt(piece.name, input, event);
    } else if (piece.kind === 'text') {
      refuseSingleBraces(piece.text, input, event);
    }
  }
  const names = pieces.flatMap((piece) => (piece.kind === 'variable' ? piece.name : []));
  refuseNames([...new Set(names)].filter(isVariableName), input, event);
}

/**
 * Rejects `{{issue.title}}`, `{{github.event.issue.title}}`, `{{change}}`, `{{chagnes}}`,
 * `{{evnet.issue.title}}` and `{{fiel:a.txt}}`.
 */
function refuseMisspelt(name: string, input: string, event: EventPayload): void {
  const [, word = '', mark = '', rest = ''] = /^([^.:]+)(?:([.:])\s*(.*))?$/u.exec(name) ?? [];
  const first = word.trim();
  const subject = `has the placeholder ${quoted(`{{${name}}}`)}, which`;
  if (mark === '.' && (isInEvent(event, [first]) || wellKnownFields.has(first))) {
    const advice = `write ${quoted(`{{event.${name}}}`)}`;
    throw inputError(input, `${subject} is a field of the event`, advice);
  }
  const isContext = first === 'github' && rest !== '';
  const alone = isContext ? rest : `${first}${rest}`;
  const advice =
    adviceOnAlone.get(alone) ??
    (isContext ? adviceOnContext(rest) : adviceOnWord(first, mark, rest));
  if (advice !== undefined) {
    throw inputError(input, `${subject} is not supported`, advice);
  }
}

/** @param names names of variables that have no value */
function refuseNames(names: readonly string[], input: string, event: EventPayload): void {
  const [name] = names;
  if (name === undefined) {
    return;
  }
  const many = oneLine(listed(names.map((each) => `{{${each}}}`)));
  const field = isInEvent(event, [name])
    ? `write {{event.${name}}} for the event's field, or `
    : '';
  throw inputError(
    input,
    `has the placeholder${names.length === 1 ? '' : 's'} ${many}, for which input variables has no value`,
    `${field}add a line such as ${quoted(`${name}: value`)} to variables, or to keep the braces in the prompt, ${quoted(`${name}: '{{${name}}}'`)}`,
  );
}

/** Rejects a field of this event in single braces, such as `{event.issue.title}`. */
function refuseSingleBraces(text: string, input: string, event: EventPayload): void {
  for (const [written, field = ''] of text.matchAll(/\{\s*event\.([\w.-]+)\s*\}/gu)) {
    if (isInEvent(event, field.split('.'))) {
      throw inputError(
        input,
        `has ${quoted(written)}, which is probably meant as a placeholder`,
        `write {{event.${field}}}, or to send the braces as they are, pass them as a value of variables`,
      );
    }
  }
}

function isInEvent(event: EventPayload, path: readonly string[]): boolean {
  return event.kind === 'payload' && findEventField(event.payload, path) !== undefined;
}

/** What to write instead of a placeholder that has only its first word, such as `{{event}}`. */
const adviceOnAlone: ReadonlyMap<string, string> = new Map([
  ['event', 'name a field of the event, such as "{{event.issue.title}}"'],
  ['file', 'name a file in the workspace, such as "{{file:notes.txt}}"'],
]);

/** @param property what follows `github.` */
function adviceOnContext(property: string): string {
  if (property.startsWith('event.')) {
    return `write ${quoted(`{{${property}}}`)}`;
  }
  const name = property.split('.').at(-1) ?? '';
  const variable = `${name}: \${{ github.${property} }}`;
  return `pass the value in variables, as ${quoted(variable)}, and write ${quoted(`{{${name}}}`)}`;
}

/** Compares `first` only with the words that `mark` can follow, since other names can resemble a word by chance. */
function adviceOnWord(first: string, mark: string, rest: string): string | undefined {
  if (/^changes?\s*(?:[.:]|[-_\s]*(?:patch|diff))/i.test(`${first}${mark}${rest}`)) {
    return 'write "{{changes:patches}}", or "{{changes}}" without patches';
  }
  const words = { '.': ['event'], ':': ['file', 'changes'], '': ['changes'] }[mark] ?? [];
  const word = closest(first.toLowerCase(), words);
  return word === undefined ? undefined : `write ${quoted(`{{${word}${mark}${rest}}}`)}`;
}
