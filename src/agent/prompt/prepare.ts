import type { EventPayload } from '../../runner/event.ts';
import type { Runner } from '../../runner/runner.ts';
import { counted } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource } from '../job/source.ts';
import type { Tools } from '../tools.ts';
import type { Changes } from './changes/changes.ts';
import { describeRemoved, promptWarnings } from './messages.ts';
import { type Prompt, readPrompt } from './prompt.ts';

/**
 * Reads the prompt, and logs warnings about it.
 *
 * @param githubToken reads what changed, if the prompt asks for it; may be empty
 * @throws ActionError if the prompt is invalid
 * @throws NothingChangedError if the prompt asks for changes, and there are none
 * @throws the reason of the runner's signal
 */
export async function preparePrompt(
  inputs: AgentInputs,
  githubToken: string,
  { runner, state, github }: Pick<Tools, 'runner' | 'state' | 'github'>,
): Promise<AskedSource<string>> {
  const { source, variables, changesSince } = inputs;
  const { environment, signal, log, clock } = runner;
  if (source.kind === 'attach') {
    if (variables !== '') {
      log.warning('Input variables is not used, because there is no prompt.');
    }
    if (changesSince.kind !== 'event') {
      log.warning('Input changes-since is not used, because there is no prompt.');
    }
    return source;
  }
  const readChangesOf = async (event: EventPayload): Promise<Changes> => {
    const { readChanges } = await import('./changes/changes.ts');
    const { repository } = environment;
    const session = githubToken === '' ? undefined : github.as(githubToken);
    const deps = { session, repository, clock, signal };
    return await readChanges(changesSince, { ...environment, event }, deps);
  };
  const prompt = await readPrompt(source.prompt, variables, {
    ...environment,
    signal,
    readChanges: readChangesOf,
  });
  state.learn({ prompt });
  if (prompt.changes === undefined && changesSince.kind !== 'event') {
    log.warning('Input changes-since is not used, because the prompt has no {{changes}}.');
  }
  report(prompt, log);
  return { ...source, prompt: prompt.text };
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
