import { createHash } from 'node:crypto';
import { InputError } from '../runner/errors.ts';
import { type EventPayload, readEventPayload } from '../runner/event.ts';
import { readWorkspaceText } from '../runner/workspace.ts';
import { counted, listed, oneLine, quoted } from '../text/plain.ts';
import { type CleanText, cleanField, readEventField } from './event-text.ts';
import { type Piece, splitPrompt } from './placeholders.ts';

/** Where the instruction comes from. */
export type PromptSource =
  | { readonly input: 'prompt'; readonly text: string }
  | { readonly input: 'prompt-file'; readonly path: string };

/** The instruction, ready to send, with what may be told about it. */
export interface Prompt {
  readonly text: string;
  /** The input that it came from, and the file that the input named. */
  readonly origin: { readonly input: PromptSource['input']; readonly path?: string };
  readonly characters: number;
  readonly sha256: string;
  /** What was taken out of event text. */
  readonly removed: { readonly comments: number; readonly invisible: number };
  readonly unusedVariables: readonly string[];
  /** Placeholders that look like a variable's, and have none. */
  readonly unfilled: readonly string[];
}

export interface PromptWorld {
  readonly workspace: string;
  readonly eventPath: string;
}

/**
 * Reads the instruction and fills its placeholders in, once: what a placeholder brings is never
 * searched for placeholders again.
 *
 * @param variables the input `variables`, YAML
 * @throws InputError when a file, an event field or the variables cannot be used
 */
export async function readPrompt(
  source: PromptSource,
  variables: string,
  world: PromptWorld,
): Promise<Prompt> {
  const template = await readTemplate(source, world);
  const pieces = splitPrompt(template);
  const values = await readValues(variables);
  const filling = { source, values, world, event: await readEventFor(pieces, world) };
  const filled = await Promise.all(pieces.map((piece) => fill(piece, filling)));
  const text = filled.map((piece) => piece.text).join('');
  refuseBlank(text, source);
  const names = new Set(pieces.flatMap((piece) => (piece.kind === 'variable' ? piece.name : [])));
  return {
    text,
    origin:
      source.input === 'prompt'
        ? { input: source.input }
        : { input: source.input, path: source.path },
    characters: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    removed: {
      comments: sum(filled.map((piece) => piece.comments)),
      invisible: sum(filled.map((piece) => piece.invisible)),
    },
    unusedVariables: [...values.keys()].filter((name) => !names.has(name)),
    unfilled: [...names].filter((name) => !values.has(name)),
  };
}

/** What was taken out of event text, in words; empty for nothing. */
export function describeRemoved({ comments, invisible }: Prompt['removed']): string {
  return listed([
    ...(comments > 0 ? [counted(comments, 'HTML comment')] : []),
    ...(invisible > 0 ? [counted(invisible, 'invisible character')] : []),
  ]);
}

async function readTemplate(source: PromptSource, { workspace }: PromptWorld): Promise<string> {
  return source.input === 'prompt'
    ? source.text
    : await readWorkspaceText(workspace, source.input, source.path);
}

/** Most runs have no variables: the YAML library is loaded for those that do. */
async function readValues(variables: string): Promise<ReadonlyMap<string, string>> {
  if (variables === '') {
    return new Map();
  }
  const { readVariables } = await import('./variables.ts');
  return readVariables(variables);
}

async function readEventFor(
  pieces: readonly Piece[],
  { eventPath }: PromptWorld,
): Promise<EventPayload> {
  return pieces.some((piece) => piece.kind === 'event')
    ? await readEventPayload(eventPath)
    : { kind: 'unreadable', problem: 'no placeholder asks for it' };
}

interface Filling {
  readonly source: PromptSource;
  readonly values: ReadonlyMap<string, string>;
  readonly event: EventPayload;
  readonly world: PromptWorld;
}

async function fill(piece: Piece, { source, values, event, world }: Filling): Promise<CleanText> {
  switch (piece.kind) {
    case 'text':
      return asIs(piece.text);
    case 'variable':
      return asIs(values.get(piece.name) ?? piece.text);
    case 'event':
      return cleanField(readEvent(piece.path, source, event));
    case 'file':
      return asIs(
        await readWorkspaceText(world.workspace, placeholderIn(source, piece.path), piece.path),
      );
  }
}

function asIs(text: string): CleanText {
  return { text, comments: 0, invisible: 0 };
}

function readEvent(path: readonly string[], { input }: PromptSource, event: EventPayload): unknown {
  const placeholder = quoted(`{{event.${path.join('.')}}}`);
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
  return field.value;
}

/** How an error names a file that a placeholder asks for. */
function placeholderIn({ input }: PromptSource, path: string): string {
  return `${input}, placeholder {{file:${oneLine(path, 80)}}},`;
}

function refuseBlank(text: string, { input }: PromptSource): void {
  if (text.trim() === '') {
    throw new InputError(input, 'is blank', 'write what the agent should do');
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
