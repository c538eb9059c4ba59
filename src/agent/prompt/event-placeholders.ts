import type { EventPayload } from '../../runner/event.ts';
import { inputError } from '../../text/error.ts';
import { listed, quoted } from '../../text/plain.ts';
import { isPlainField, readEventField } from './event-field.ts';
import { readFieldTexts } from './event-text.ts';
import type { HiddenCounts } from './hidden/visible-text.ts';

/** The text of each field, by the placeholder's path. */
export interface Fields {
  readonly texts: ReadonlyMap<string, string>;
  readonly removed: HiddenCounts;
}

/**
 * Reads the event's fields for the placeholders of a prompt.
 *
 * @param input the input that the prompt comes from
 * @throws ActionError if a field does not exist or cannot be read
 * @throws CancelledError if the run is cancelled
 */
export async function readEventFields(
  paths: readonly (readonly string[])[],
  input: string,
  event: EventPayload,
  signal: AbortSignal,
): Promise<Fields> {
  const fields = paths.map((path) => {
    const placeholder = quoted(placeholderOf(path));
    if (event.kind === 'unreadable') {
      throw inputError(
        input,
        `has the placeholder ${placeholder}, but ${event.problem}`,
        'use event placeholders only in runs that GitHub starts for an event',
      );
    }
    const field = readEventField(event.payload, path);
    if (field.kind === 'missing') {
      throw inputError(
        input,
        `has the placeholder ${placeholder}, which does not exist in this event's payload`,
        'check its spelling and which event starts the workflow',
      );
    }
    return { path, value: field.value };
  });
  const read = await readFieldTexts(fields, signal);
  if (read.kind === 'exhausted') {
    const markdown = paths.filter((path) => !isPlainField(path)).map(placeholderOf);
    throw inputError(
      input,
      `has the placeholder ${listed([...new Set(markdown)].map(quoted))}, whose Markdown takes too long to parse, because it is nested very deeply or was crafted to be slow`,
      'read the text yourself before you give it to an agent, and shorten it or leave the placeholder out',
    );
  }
  const { texts, removed } = read.output;
  return {
    texts: new Map(paths.map((path, index) => [path.join('.'), texts[index] ?? ''])),
    removed,
  };
}

function placeholderOf(path: readonly string[]): string {
  return `{{event.${path.join('.')}}}`;
}
