import { type EventPayload, readEventPayload } from '../../github/event.ts';
import { readWorkspaceText } from '../../runner/workspace.ts';
import { inputError } from '../../text/error.ts';
import { counted, listed, oneLine, quoted } from '../../text/plain.ts';
import { sha256 } from '../../text/sha256.ts';
import type { AgentDeps } from '../deps.ts';
import type { AgentInputs, PromptSource } from '../inputs.ts';
import type { Changes } from './changes.ts';
import { findEventField, readEventField } from './event-text.ts';
import { describeHidden, type HiddenKind, type VisibleText } from './hidden.ts';
import { type Piece, refuseUnfilled, splitPrompt } from './placeholders.ts';

/** A prompt that is ready to send, with the details that reports show. */
export interface Prompt {
  readonly text: string;
  /** The input that the prompt comes from, and the file that `prompt-file` names. */
  readonly origin: { readonly input: PromptSource['input']; readonly path?: string };
  readonly characters: number;
  readonly sha256: string;
  /** The hash of the prompt before its placeholders are replaced. */
  readonly templateSha256: string;
  /** The kind of each part that was removed from event text. */
  readonly removed: readonly HiddenKind[];
  /** The fields of the event that inserted nothing, such as `event.issue.body`. */
  readonly emptyFields: readonly string[];
  /** Sentences that the prompt's author should read. */
  readonly warnings: readonly string[];
  /** A sentence that says what `{{changes}}` inserted; `undefined` if the prompt does not have that placeholder. */
  readonly changes?: string;
}

/**
 * Reads the prompt, and logs warnings about it; `undefined` if the inputs give none.
 *
 * @param githubToken reads what changed, if the prompt asks for it; may be empty
 * @throws ActionError if the prompt is invalid
 * @throws SkipError if the prompt asks for changes, and there are none
 * @throws the reason of the runner's signal
 */
export async function preparePrompt(
  inputs: AgentInputs,
  githubToken: string,
  { runner, github }: AgentDeps,
): Promise<Prompt | undefined> {
  const { prompt: source, variables, changesSince } = inputs;
  const { environment, signal, log, clock } = runner;
  if (source === undefined) {
    if (variables !== '') {
      log.warning('Input variables is not used, because there is no prompt.');
    }
    if (changesSince.kind !== 'event') {
      log.warning('Input changes-since is not used, because there is no prompt.');
    }
    return undefined;
  }
  const prompt = await readPrompt(source, variables, {
    ...environment,
    readChanges: async (event) => {
      const { readChanges } = await import('./changes.ts');
      const { repository } = environment;
      const deps = { session: github.as(githubToken), repository, clock, signal };
      return await readChanges(changesSince, { ...environment, event }, deps);
    },
  });
  if (prompt.changes === undefined && changesSince.kind !== 'event') {
    log.warning('Input changes-since is not used, because the prompt has no {{changes}}.');
  }
  for (const warning of prompt.warnings) {
    log.warning(warning);
  }
  const removed = describeHidden(prompt.removed);
  if (removed !== '') {
    log.info(`Removed from event text: ${removed}.`);
  }
  if (prompt.emptyFields.length > 0) {
    log.info(`Empty in this event, so nothing was inserted: ${listed(prompt.emptyFields)}.`);
  }
  if (prompt.changes !== undefined) {
    log.info(prompt.changes);
  }
  log.debug(
    `The prompt comes from ${prompt.origin.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
  return prompt;
}

interface PromptDeps {
  readonly workspace: string;
  readonly eventPath: string;
  /** Called at most once, and only if the prompt has a placeholder for changes. */
  readonly readChanges: (event: EventPayload) => Promise<Changes>;
}

const noValues: ReadonlyMap<string, string> = new Map();

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
  const { input } = source;
  const template =
    source.input === 'prompt'
      ? source.text
      : await readWorkspaceText(deps.workspace, input, source.path);
  // Most runs have no variables, so the YAML library is loaded only when it is needed.
  const values =
    variables === '' ? noValues : (await import('./variables.ts')).readVariables(variables);
  const event = await readEventPayload(deps.eventPath);
  const pieces = splitPrompt(template);
  const named = pieces.filter((piece) => piece.kind === 'variable');
  const names = new Set(named.map(({ name }) => name));
  const unfilled = named.filter(({ name }) => !values.has(name));
  const texts = pieces.filter(({ kind }) => kind === 'text');
  refuseUnfilled([...unfilled, ...texts], input, event);
  const changes = pieces.some(({ kind }) => kind === 'changes')
    ? await deps.readChanges(event)
    : undefined;
  const filling = { input, workspace: deps.workspace, values, event, changes };
  const filled = await Promise.all(
    pieces.map(async (piece) => ({ piece, ...(await fill(piece, filling)) })),
  );
  const text = filled.map((each) => each.text).join('');
  const emptyFields = new Set(filled.flatMap(emptyFieldOf));
  requireText(text, [...emptyFields], input);
  const unused = [...values.keys()].filter((name) => !names.has(name));
  const used = [...values].filter(([name]) => names.has(name));
  return {
    text,
    origin: source.input === 'prompt' ? { input } : { input, path: source.path },
    characters: text.length,
    sha256: sha256(text),
    templateSha256: sha256(template),
    removed: filled.flatMap(({ hidden = [] }) => hidden),
    emptyFields: [...emptyFields],
    warnings: [
      ...unused.map(
        (name) => `Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`,
      ),
      ...(changes?.warnings ?? []),
      ...warnUnfilled([...new Set(unfilled.map((piece) => piece.text))]),
      ...(filled.some(({ isUnclear }) => isUnclear) ? [unclear] : []),
      ...warnSpliced(template, used, event),
    ],
    ...(changes === undefined ? {} : { changes: changes.described }),
  };
}

/** The field that a piece inserts, if the field is blank. */
function emptyFieldOf({
  piece,
  text,
}: {
  readonly piece: Piece;
  readonly text: string;
}): readonly string[] {
  return piece.kind === 'event' && text.trim() === '' ? [`event.${piece.path.join('.')}`] : [];
}

function requireText(text: string, emptyFields: readonly string[], input: string): void {
  if (text.trim() === '') {
    const fields = listed(emptyFields, 'or');
    const cause = fields === '' ? '' : `, because this event has no ${fields}`;
    throw inputError(input, `is blank${cause}`, 'write what the agent should do');
  }
}

interface Filling {
  readonly input: PromptSource['input'];
  readonly workspace: string;
  readonly values: ReadonlyMap<string, string>;
  readonly event: EventPayload;
  readonly changes: Changes | undefined;
}

/** Turns a piece into text, and says what was removed from the text. */
async function fill(
  piece: Piece,
  { input, workspace, values, event, changes }: Filling,
): Promise<Partial<VisibleText> & { readonly text: string }> {
  switch (piece.kind) {
    case 'text':
      return piece;
    case 'variable':
      return { text: values.get(piece.name) ?? piece.text };
    case 'event':
      return await readEventField(piece.path, input, event);
    case 'changes':
      return { text: (piece.withPatches ? changes?.withPatches : changes?.list) ?? '' };
    case 'file': {
      const subject = `${input}, placeholder ${quoted(`{{file:${piece.path}}}`)},`;
      return { text: await readWorkspaceText(workspace, subject, piece.path) };
    }
  }
}

/** The warning for marks that remain in a text: our parser and GitHub's may read crafted text differently. */
const unclear =
  'A part of the event text may look different on GitHub: read the prompt in the summary of a dry run.';

function warnUnfilled(placeholders: readonly string[]): readonly string[] {
  const all = oneLine(listed(placeholders));
  return placeholders.length === 0
    ? []
    : [`The agent gets ${all} as written, because no placeholder of this action has such a form.`];
}

/** Strangers can write these fields, and workflows often use them in expressions. */
const foreignTexts: readonly (readonly string[])[] = [
  ...['issue', 'pull_request', 'discussion', 'comment', 'review', 'release'].flatMap((thing) => [
    [thing, 'title'],
    [thing, 'body'],
  ]),
  ['pull_request', 'head', 'ref'],
  ['workflow_run', 'display_title'],
];

/** A text that is shorter than this can be in a prompt by coincidence. */
const minCharacters = 12;

/** Matches one word, such as a path or a branch. A prompt often has the same word, and one word can hide nothing. */
const pathLike = /^[\w./-]+$/;

/** This many characters identify a text, even if YAML changed the rest. */
const comparedCharacters = 500;

/**
 * Warns of fields of the event whose text is in a prompt before its placeholders are replaced, or is the value
 * of a variable. The workflow probably inserted it with `${{ }}`. A value that only contains the text, such as
 * a list, is the user's own.
 *
 * @param variables the names and values of the variables that the prompt uses
 */
function warnSpliced(
  template: string,
  variables: readonly (readonly [name: string, value: string])[],
  event: EventPayload,
): readonly string[] {
  const { payload } = event.kind === 'payload' ? event : { payload: undefined };
  const prompt = squeeze(template);
  return foreignTexts.flatMap((path) => {
    const field = path.join('.');
    const found = findEventField(payload, path);
    const text = squeeze(typeof found === 'string' ? found : '');
    if (text.length < minCharacters) {
      return [];
    }
    if (!pathLike.test(text) && prompt.includes(text.slice(0, comparedCharacters))) {
      return `The prompt contains the event's ${field}, but not through a placeholder: write {{event.${field}}} instead of \${{ github.event.${field} }}, so that hidden text is removed.`;
    }
    const [name] = variables.find(([, value]) => squeeze(value) === text) ?? [];
    return name === undefined
      ? []
      : `Input variables has the event's ${field} as ${name}: write {{event.${field}}} in the prompt instead, so that hidden text is removed.`;
  });
}

/** Ignores white space, since YAML and the runner change line ends, and both ends of a text. */
function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
