import type { EventPayload } from '../../github/event.ts';
import type { Runner } from '../../runner/runner.ts';
import { counted, listed, oneLine } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AgentDeps } from '../state.ts';
import type { Changes } from './changes.ts';
import { type Prompt, readPrompt } from './prompt.ts';
import { type HiddenKind, hiddenKinds } from './visible-text.ts';

/**
 * Reads the prompt, and logs warnings about it; `undefined` if the inputs give none.
 *
 * @param githubToken reads what changed, if the prompt asks for it; may be empty
 * @throws ActionError if the prompt is invalid
 * @throws NothingChangedError if the prompt asks for changes, and there are none
 * @throws the reason of the runner's signal
 */
export async function preparePrompt(
  inputs: AgentInputs,
  githubToken: string,
  { runner, state, github }: AgentDeps,
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
  const readChangesOf = async (event: EventPayload): Promise<Changes> => {
    const { readChanges } = await import('./changes.ts');
    const { repository } = environment;
    const session = githubToken === '' ? undefined : github.as(githubToken);
    const deps = { session, repository, clock, signal };
    return await readChanges(changesSince, { ...environment, event }, deps);
  };
  const prompt = await readPrompt(source, variables, {
    ...environment,
    readChanges: readChangesOf,
  });
  state.learn({ prompt });
  if (prompt.changes === undefined && changesSince.kind !== 'event') {
    log.warning('Input changes-since is not used, because the prompt has no {{changes}}.');
  }
  report(prompt, log);
  return prompt;
}

function report(prompt: Prompt, log: Runner['log']): void {
  for (const warning of promptWarnings(prompt)) {
    log.warning(warning);
  }
  const removed = describeRemoved(prompt.removed);
  if (removed !== '') {
    log.info(`Removed from event text: ${removed}.`);
  }
  if (prompt.changes !== undefined) {
    log.info(prompt.changes.described);
  }
  log.debug(
    `The prompt comes from ${prompt.origin.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
}

/** Describes what was removed from event text; empty if nothing was. */
export function describeRemoved(removed: Prompt['removed']): string {
  const kinds = Object.keys(hiddenKinds) as HiddenKind[];
  return listed(
    kinds.flatMap((kind) => {
      const [one, many] = hiddenKinds[kind];
      const count = removed[kind] ?? 0;
      return count > 0 ? [counted(count, one, many)] : [];
    }),
  );
}

/** The warning lists this many placeholders, and counts the rest. */
const mostNamed = 5;

/** Warnings for the author of the prompt. */
export function promptWarnings({
  unusedVariables,
  unfilled,
  spliced,
  changes,
}: Prompt): readonly string[] {
  return [
    ...unusedVariables.map(
      (name) => `Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`,
    ),
    ...(changes?.warnings ?? []),
    ...(unfilled.length > 0 ? [describeUnfilled(unfilled)] : []),
    ...spliced.map(
      (field) =>
        `The prompt contains the event's ${field}, but not through a placeholder: write {{event.${field}}} instead of \${{ github.event.${field} }}, so that hidden text is removed.`,
    ),
  ];
}

function describeUnfilled(placeholders: readonly string[]): string {
  const named = placeholders.slice(0, mostNamed).map((text) => oneLine(text, 80));
  const more = placeholders.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  return `The prompt still contains ${listed(all)}, for which there is no value: check the spelling, or add a value to variables.`;
}
