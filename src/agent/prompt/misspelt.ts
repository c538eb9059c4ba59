import type { EventPayload } from '../../runner/event.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import { wellKnownFields } from './event-field.ts';
import { firstPartOf, type Piece } from './placeholders.ts';

/**
 * Rejects misspelt placeholders: `{{issue.title}}`, `{{github.event.issue.title}}` and `{{change}}`
 * would otherwise reach the agent unchanged.
 *
 * @param input the input that the prompt comes from
 * @param variables the names of the variables that have a value
 * @throws ActionError with the correct spelling
 */
export function refuseMisspelt(
  pieces: readonly Piece[],
  input: string,
  event: EventPayload,
  variables: Pick<ReadonlySet<string>, 'has'>,
): void {
  for (const piece of pieces) {
    if (piece.kind === 'unknown') {
      refuse(piece.inside, input, event);
      refuseChanges(piece.inside, input);
    } else if (piece.kind === 'variable' && !variables.has(piece.name)) {
      refuseChanges(piece.name, input);
    }
  }
}

function refuse(inside: string, input: string, event: EventPayload): void {
  const placeholder = `has the placeholder ${quoted(`{{${inside}}}`)}, which`;
  const eventPath = /^github\.event\.(.+)$/u.exec(inside)?.[1];
  if (eventPath !== undefined) {
    throw inputError(
      input,
      `${placeholder} is not supported`,
      `write ${quoted(`{{event.${eventPath}}}`)}`,
    );
  }
  const first = firstPartOf(inside);
  if (first === 'github') {
    const name = inside.split('.').at(-1) ?? '';
    throw inputError(
      input,
      `${placeholder} is not supported`,
      `pass the value in variables, as ${quoted(`${name}: \${{ ${inside} }}`)}, and write ${quoted(`{{${name}}}`)}`,
    );
  }
  if (first !== undefined && isEventField(first, event)) {
    throw inputError(
      input,
      `${placeholder} is a field of the event`,
      `write ${quoted(`{{event.${inside}}}`)}`,
    );
  }
}

/** What may follow `change` or `changes` in a misspelt placeholder, but not in another name. */
const misspeltRest = /^(?:$|[^-_\s\p{L}\p{N}]|[-_\s]*(?:patch|diff))/iu;

/** Rejects what was probably meant as `{{changes}}` or `{{changes:patches}}`. */
function refuseChanges(inside: string, input: string): void {
  const rest = /^changes?\b(.*)$/iu.exec(inside)?.[1]?.trim();
  if (rest === undefined || !misspeltRest.test(rest)) {
    return;
  }
  throw inputError(
    input,
    `has the placeholder ${quoted(`{{${inside}}}`)}, which is not supported`,
    rest === ''
      ? 'write "{{changes}}"'
      : 'write "{{changes:patches}}", or "{{changes}}" without patches',
  );
}

function isEventField(name: string, event: EventPayload): boolean {
  const { payload } = event.kind === 'payload' ? event : { payload: undefined };
  const isThere = typeof payload === 'object' && payload !== null && Object.hasOwn(payload, name);
  return isThere || wellKnownFields.includes(name);
}
