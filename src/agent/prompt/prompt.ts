import type { SkippedResult } from '../../common/result.ts';
import { type EventPayload, readEventPayload } from '../../github/event.ts';
import { readWorkspaceText } from '../../runner/workspace.ts';
import { inputError } from '../../text/error.ts';
import { counted, listed, quoted } from '../../text/plain.ts';
import { sha256 } from '../../text/sha256.ts';
import type { AgentDeps } from '../deps.ts';
import type { AgentInputs, PromptSource } from '../inputs.ts';
import type { Changes } from './changes.ts';
import { readEventField } from './event-text.ts';
import { type Piece, readVariables, refuseUnfilled, splitPrompt } from './placeholders.ts';
import type { VisibleText } from './visible-text.ts';

/** A prompt that is ready to send, with the details that reports show. */
export interface Prompt {
  readonly text: string;
  readonly source: PromptSource;
  readonly sha256: string;
  /** The hash of the prompt before its placeholders are replaced. */
  readonly templateSha256: string;
  /** How many hidden parts of event text were left out. */
  readonly leftOut: number;
  /** The event fields, such as `event.issue.body`, whose placeholders inserted nothing but blanks. */
  readonly emptyFields: readonly string[];
  /** Sentences that the prompt's author should read. */
  readonly warnings: readonly string[];
  /** A sentence that says what `{{changes}}` inserted; `undefined` if the prompt does not have that placeholder. */
  readonly changes?: string | undefined;
}

/**
 * Reads the prompt, and logs warnings about it; `undefined` if the inputs give none. If the prompt asks for changes,
 * and there are none, the step is skipped.
 *
 * @param githubToken reads what changed, if the prompt asks for it; may be empty
 * @throws ActionError if the prompt is invalid
 * @throws the reason of the runner's signal
 */
export async function preparePrompt(
  inputs: AgentInputs,
  githubToken: string,
  { runner, github }: AgentDeps,
): Promise<Prompt | SkippedResult | undefined> {
  const { prompt: source, variables, changesSince } = inputs;
  const { environment, signal, log, clock } = runner;
  if (source === undefined) {
    if (variables !== '') {
      log.warning('Input variables is not used, because there is no prompt.');
    }
    if (changesSince !== '') {
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
  if ('result' in prompt) {
    return prompt;
  }
  if (prompt.changes === undefined && changesSince !== '') {
    log.warning('Input changes-since is not used, because the prompt has no {{changes}}.');
  }
  for (const warning of prompt.warnings) {
    log.warning(warning);
  }
  if (prompt.leftOut > 0) {
    log.info(`Left out of the event text: ${counted(prompt.leftOut, 'hidden part')}.`);
  }
  if (prompt.emptyFields.length > 0) {
    log.info(`Empty in this event, so nothing was inserted: ${listed(prompt.emptyFields)}.`);
  }
  if (prompt.changes !== undefined) {
    log.info(prompt.changes);
  }
  log.debug(
    `The prompt comes from ${source.input} and has ${counted(prompt.text.length, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
  return prompt;
}

interface PromptDeps {
  readonly workspace: string;
  readonly eventPath: string;
  /** Called at most once, and only if the prompt has a placeholder for changes. */
  readonly readChanges: (event: EventPayload) => Promise<Changes | SkippedResult>;
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
): Promise<Prompt | SkippedResult> {
  const { input } = source;
  const template =
    source.input === 'prompt'
      ? source.text
      : await readWorkspaceText(deps.workspace, input, source.path);
  const values = await readVariables(variables);
  const event = await readEventPayload(deps.eventPath);
  const pieces = splitPrompt(template);
  const names = new Set(pieces.flatMap((piece) => (piece.kind === 'variable' ? piece.name : [])));
  refuseUnfilled(names, values, input, event);
  const changes = pieces.some(({ kind }) => kind === 'changes')
    ? await deps.readChanges(event)
    : undefined;
  if (changes !== undefined && 'result' in changes) {
    return changes;
  }
  const fill = async (piece: Piece): Promise<Filled> => {
    switch (piece.kind) {
      case 'text':
        return piece;
      case 'variable':
        return { text: values.get(piece.name) ?? '' };
      case 'event':
        return {
          ...(await readEventField(piece.path, input, event)),
          field: `event.${piece.path.join('.')}`,
        };
      case 'changes':
        return { text: (piece.withPatches ? changes?.withPatches : changes?.list) ?? '' };
      case 'file': {
        const subject = `${input}, placeholder ${quoted(`{{file:${piece.path}}}`)},`;
        return { text: await readWorkspaceText(deps.workspace, subject, piece.path) };
      }
    }
  };
  const filled = await Promise.all(pieces.map(fill));
  const text = filled.map((each) => each.text).join('');
  const empty = filled.flatMap((each) => (each.text.trim() === '' ? (each.field ?? []) : []));
  const emptyFields = [...new Set(empty)];
  if (text.trim() === '') {
    const fields = listed(emptyFields, 'or');
    const cause = fields === '' ? '' : `, because this event has no ${fields}`;
    throw inputError(input, `is blank${cause}`, 'write what the agent should do');
  }
  const unused = [...values.keys()].filter((name) => !names.has(name));
  return {
    text,
    source,
    sha256: sha256(text),
    templateSha256: sha256(template),
    leftOut: filled.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0),
    emptyFields,
    warnings: [
      ...unused.map(
        (name) => `Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`,
      ),
      ...(changes?.warnings ?? []),
      ...(filled.some(({ isUnclear }) => isUnclear) ? [unclear] : []),
    ],
    changes: changes?.described,
  };
}

/** The text that replaces a piece. If the text comes from the event, `field` is the name of the event's field. */
type Filled = Partial<VisibleText> & { readonly text: string; readonly field?: string };

/** The warning for marks that remain in a text: our parser and GitHub's may read crafted text differently. */
const unclear =
  'A part of the event text may look different on GitHub: read the prompt in the summary of a dry run.';
