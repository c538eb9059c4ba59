import { createHash } from 'node:crypto';
import { type EventPayload, readEventPayload } from '../../github/event.ts';
import { readWorkspaceText } from '../../runner/workspace.ts';
import { inputError } from '../../text/error.ts';
import { oneLine } from '../../text/plain.ts';
import type { Changes } from './changes.ts';
import { findEventField, readEventFields } from './event-text.ts';
import { type Piece, refuseMisspelt, splitPrompt } from './placeholders.ts';
import type { HiddenCounts } from './visible-text.ts';

/** Where the prompt comes from. */
export type PromptSource =
  | { readonly input: 'prompt'; readonly text: string }
  | { readonly input: 'prompt-file'; readonly path: string };

/** The prompt, ready to send, with the details that reports show. */
export interface Prompt {
  readonly text: string;
  /** The input, and the file if the input names one. */
  readonly origin: { readonly input: PromptSource['input']; readonly path?: string };
  readonly characters: number;
  readonly sha256: string;
  /** What was removed from event text. */
  readonly removed: HiddenCounts;
  readonly unusedVariables: readonly string[];
  /** Placeholders without a value, and text that only looks like a placeholder. */
  readonly unfilled: readonly string[];
  /** Fields of the event whose text is in the prompt, although no placeholder inserted it. */
  readonly spliced: readonly string[];
  /** What the placeholders for changes inserted; `undefined` without one. */
  readonly changes?: Pick<Changes, 'described' | 'warnings'>;
}

interface PromptDeps {
  readonly workspace: string;
  readonly eventPath: string;
  /** Called at most once, and only if the prompt has a placeholder for changes. */
  readonly readChanges: (event: EventPayload) => Promise<Changes>;
}

/**
 * Reads the prompt and replaces its placeholders once: inserted text is not searched for placeholders
 * again.
 *
 * @param variables the YAML of the input `variables`
 * @throws ActionError if a file, an event field or the variables are invalid
 * @throws whatever `readChanges` throws
 */
export async function readPrompt(
  source: PromptSource,
  variables: string,
  deps: PromptDeps,
): Promise<Prompt> {
  const [template, values, event] = await Promise.all([
    readTemplate(source, deps),
    readValues(variables),
    readEventPayload(deps.eventPath),
  ]);
  const pieces = splitPrompt(template);
  refuseMisspelt(pieces, source.input, event, values);
  const paths = pieces.flatMap((piece) => (piece.kind === 'event' ? [piece.path] : []));
  const fields = await readEventFields(paths, source.input, event);
  const changes = pieces.some(({ kind }) => kind === 'changes')
    ? await deps.readChanges(event)
    : undefined;
  const filling = { source, values, deps, fields: fields.texts, changes };
  const filled = await Promise.all(pieces.map((piece) => fill(piece, filling)));
  const text = filled.join('');
  refuseBlank(text, source);
  const names = new Set(pieces.flatMap((piece) => (piece.kind === 'variable' ? piece.name : [])));
  const used = [...values].flatMap(([name, value]) => (names.has(name) ? value : []));
  return {
    text,
    origin:
      source.input === 'prompt'
        ? { input: source.input }
        : { input: source.input, path: source.path },
    characters: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    removed: fields.removed,
    unusedVariables: [...values.keys()].filter((name) => !names.has(name)),
    unfilled: unfilledOf(pieces, values),
    spliced: event.kind === 'payload' ? findSpliced([template, ...used], event.payload) : [],
    ...(changes === undefined ? {} : { changes }),
  };
}

async function readTemplate(source: PromptSource, { workspace }: PromptDeps): Promise<string> {
  return source.input === 'prompt'
    ? source.text
    : await readWorkspaceText(workspace, source.input, source.path);
}

/** Most runs have no variables, so the YAML library is loaded only when it is needed. */
async function readValues(variables: string): Promise<ReadonlyMap<string, string>> {
  if (variables === '') {
    return new Map();
  }
  const { readVariables } = await import('./variables.ts');
  return readVariables(variables);
}

interface Filling {
  readonly source: PromptSource;
  readonly values: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, string>;
  readonly deps: PromptDeps;
  readonly changes: Changes | undefined;
}

async function fill(piece: Piece, filling: Filling): Promise<string> {
  const { source, values, fields, deps, changes } = filling;
  switch (piece.kind) {
    case 'text':
    case 'unknown':
      return piece.text;
    case 'variable':
      return values.get(piece.name) ?? piece.text;
    case 'event':
      return fields.get(piece.path.join('.')) ?? '';
    case 'changes':
      return (piece.withPatches ? changes?.withPatches : changes?.list) ?? '';
    case 'file':
      return await readWorkspaceText(deps.workspace, placeholderIn(source, piece.path), piece.path);
  }
}

/** How an error refers to a placeholder for a file. */
function placeholderIn({ input }: PromptSource, path: string): string {
  return `${input}, placeholder {{file:${oneLine(path, 80)}}},`;
}

function refuseBlank(text: string, { input }: PromptSource): void {
  if (text.trim() === '') {
    throw inputError(input, 'is blank', 'write what the agent should do');
  }
}

function unfilledOf(
  pieces: readonly Piece[],
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const unfilled = pieces.flatMap((piece) => {
    if (piece.kind === 'variable') {
      return values.has(piece.name) ? [] : [`{{${piece.name}}}`];
    }
    return piece.kind === 'unknown' ? [piece.text] : [];
  });
  return [...new Set(unfilled)];
}

/** Fields that strangers can write, and that workflows often use in expressions. */
const foreignTexts: readonly (readonly string[])[] = [
  ...['issue', 'pull_request', 'discussion', 'comment', 'review', 'release'].flatMap((thing) => [
    [thing, 'title'],
    [thing, 'body'],
  ]),
  ['pull_request', 'head', 'ref'],
  ['workflow_run', 'display_title'],
];

/** Shorter texts can be in a prompt by coincidence. */
const shortestText = 12;

/** Comparing this much of a text is reliable enough, and fast for texts of any length. */
const comparedCharacters = 500;

/**
 * Finds the fields of the event whose text is in a prompt before its placeholders are replaced. The
 * workflow probably inserted it with `${{ }}`.
 *
 * @param texts the original prompt, and the values of the variables that it uses
 */
function findSpliced(texts: readonly string[], payload: unknown): readonly string[] {
  const prompts = texts.map(squeeze);
  return foreignTexts
    .filter((path) => {
      const field = findEventField(payload, path);
      const text = field.kind === 'value' && typeof field.value === 'string' ? field.value : '';
      const words = squeeze(text).slice(0, comparedCharacters);
      return words.length >= shortestText && prompts.some((prompt) => prompt.includes(words));
    })
    .map((path) => path.join('.'));
}

/** YAML and the runner change line endings, and white space at the beginning and the end. */
function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
