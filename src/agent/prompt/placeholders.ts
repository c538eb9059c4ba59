import type { EventPayload } from '../../github/event.ts';
import { closest } from '../../text/closest.ts';
import { inputError } from '../../text/error.ts';
import { listed, oneLine, quoted } from '../../text/plain.ts';
import { findEventField } from './event-text.ts';

/** A piece of a prompt: plain text, or a placeholder in double braces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** `name` can be a name that no variable may have, such as `name | upper`. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'event'; readonly path: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'changes'; readonly withPatches: boolean };

/** True if the input `variables` may define a value of this name. */
function isVariableName(name: string): boolean {
  return /^(?!(?:event|file|changes)$)[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name);
}

/**
 * Parses the input `variables`: a YAML mapping of names to values.
 * @throws ActionError if the text is not such a mapping
 */
export async function readVariables(text: string): Promise<ReadonlyMap<string, string>> {
  if (text === '') {
    return new Map();
  }
  // Most runs have no variables, so the YAML library is loaded only when it is needed.
  const { readYamlMapping } = await import('../../common/yaml-input.ts');
  const values = readYamlMapping('variables', text, 'write one "name: value" per line');
  const wrong = [...values.keys()].find((name) => !isVariableName(name));
  if (wrong !== undefined) {
    throw inputError(
      'variables',
      `has the name ${quoted(wrong)}`,
      'a name starts with a letter or "_", followed by letters, digits, "-" and "_", and is not event, file or changes',
    );
  }
  return values;
}

/**
 * Splits a prompt at its placeholders: `{{name}}`, `{{event.issue.body}}`, `{{file:notes.txt}}`, `{{changes}}` and
 * `{{changes:patches}}`. Spaces inside the braces are allowed. Other braces are text, such as an object of JSX, which
 * has a colon or a comma.
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
  // Many template languages have filters behind a bar, and filters can have colons and commas.
  return /^(?:[\p{L}_][^:,|]*(?:\|.*)?|(?:file|changes)\s*:.*)$/u.test(inside)
    ? { kind: 'variable', name: inside }
    : { kind: 'text', text };
}

/** One of each kind of placeholder that needs neither a variable nor an event. */
const forms = ['file:notes.txt', 'changes', 'changes:patches'];

/**
 * Rejects placeholders that nothing fills. People would pay for a job that got them, and then for another one with the
 * values.
 *
 * @param names what stands in the braces of the placeholders for variables
 * @param variables the values of the input `variables`, by name
 * @param input the input that the prompt comes from
 * @throws ActionError with what to write instead of the first one
 */
export function refuseUnfilled(
  names: ReadonlySet<string>,
  variables: ReadonlyMap<string, string>,
  input: string,
  event: EventPayload,
): void {
  const unfilled = [...names].filter((each) => !variables.has(each));
  const [name] = unfilled;
  if (name === undefined) {
    return;
  }
  const all = oneLine(listed(unfilled.map((each) => quoted(`{{${each}}}`))));
  const meant = closestPlaceholder(name, [...variables.keys()], event);
  throw inputError(
    input,
    `has ${all}, which nothing fills`,
    meant === undefined ? adviceOnValue(name) : `write ${quoted(`{{${meant}}}`)}`,
  );
}

/** Finds the placeholder that somebody who wrote `name` probably meant, such as a field without `event.` before it. */
function closestPlaceholder(
  name: string,
  variables: readonly string[],
  event: EventPayload,
): string | undefined {
  const path = name.replace(/^github\.(?:event\.)?/, '');
  const payload = event.kind === 'payload' ? event.payload : undefined;
  // An object would be inserted as JSON, and nobody means that.
  return ['string', 'number', 'boolean'].includes(typeof findEventField(payload, path.split('.')))
    ? `event.${path}`
    : closest(path, [...variables, ...forms]);
}

function adviceOnValue(name: string): string {
  if (!isVariableName(name)) {
    const examples = ['event.issue.title', ...forms].map((each) => quoted(`{{${each}}}`));
    return `write a placeholder such as ${listed(examples, 'or')}, or the name of a variable, whose value may have such braces`;
  }
  const braces = quoted(`${name}: '{{${name}}}'`);
  return `add a line such as ${quoted(`${name}: value`)} to variables, or to keep the braces in the prompt, ${braces}`;
}
