import { InputError } from '../../runner/errors.ts';
import type { EventPayload } from '../../runner/event.ts';
import { listed, quoted } from '../../text/plain.ts';
import { isPlainField, readEventField } from './event-field.ts';
import { readFieldTexts } from './event-text.ts';
import type { HiddenCounts } from './hidden/visible-text.ts';

/** Texts of the event's fields, by the placeholder's path. */
export interface Fields {
  readonly texts: ReadonlyMap<string, string>;
  readonly removed: HiddenCounts;
}

/**
 * Reads the fields that a prompt's placeholders ask for.
 *
 * @param input the input that the prompt came from
 * @throws InputError for a field that is not there, or cannot be read
 * @throws CancelledError when the run is cancelled meanwhile
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
      throw new InputError(
        input,
        `has the placeholder ${placeholder}, but ${event.problem}`,
        'use event placeholders only in runs that an event with a payload started',
      );
    }
    const field = readEventField(event.payload, path);
    if (field.kind === 'nowhere') {
      throw new InputError(
        input,
        `has the placeholder ${placeholder}, which leads nowhere in this event's payload`,
        'check its spelling and which event starts the workflow',
      );
    }
    return { path, value: field.value };
  });
  const read = await readFieldTexts(fields, signal);
  if (read.kind === 'exhausted') {
    const markdown = paths.filter((path) => !isPlainField(path)).map(placeholderOf);
    throw new InputError(
      input,
      `has the placeholder ${listed([...new Set(markdown)].map(quoted))}, whose text is nested so deeply or crafted so oddly that its Markdown was not read within seconds`,
      'look at the text before an agent does, and shorten it or leave the placeholder out',
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
