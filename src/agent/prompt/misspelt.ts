import { InputError } from '../../runner/errors.ts';
import type { EventPayload } from '../../runner/event.ts';
import { quoted } from '../../text/plain.ts';
import { wellKnownFields } from './event-field.ts';
import { firstPartOf, type Piece } from './placeholders.ts';

/**
 * Rejects misspelt event placeholders: `{{issue.title}}` and `{{github.event.issue.title}}` would
 * otherwise reach the agent unchanged.
 *
 * @param input the input that the prompt comes from
 * @throws InputError with the correct spelling
 */
export function refuseMisspelt(pieces: readonly Piece[], input: string, event: EventPayload): void {
  for (const piece of pieces) {
    if (piece.kind === 'unknown') {
      refuse(piece.inside, input, event);
    }
  }
}

function refuse(inside: string, input: string, event: EventPayload): void {
  const placeholder = `has the placeholder ${quoted(`{{${inside}}}`)}, which`;
  const eventPath = /^github\.event\.(.+)$/u.exec(inside)?.[1];
  if (eventPath !== undefined) {
    throw new InputError(
      input,
      `${placeholder} is not supported`,
      `write ${quoted(`{{event.${eventPath}}}`)}`,
    );
  }
  const first = firstPartOf(inside);
  if (first === 'github') {
    const name = inside.split('.').at(-1) ?? '';
    throw new InputError(
      input,
      `${placeholder} is not supported`,
      `pass the value in variables, as ${quoted(`${name}: \${{ ${inside} }}`)}, and write ${quoted(`{{${name}}}`)}`,
    );
  }
  if (first !== undefined && isEventField(first, event)) {
    throw new InputError(
      input,
      `${placeholder} is a field of the event`,
      `write ${quoted(`{{event.${inside}}}`)}`,
    );
  }
}

function isEventField(name: string, event: EventPayload): boolean {
  const { payload } = event.kind === 'payload' ? event : { payload: undefined };
  const isThere = typeof payload === 'object' && payload !== null && Object.hasOwn(payload, name);
  return isThere || wellKnownFields.includes(name);
}
