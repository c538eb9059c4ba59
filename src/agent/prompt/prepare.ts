import type { Runner } from '../../runner/step.ts';
import { counted } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource } from '../job/source.ts';
import type { AgentState } from '../state.ts';
import { describeRemoved, promptWarnings } from './messages.ts';
import { type Prompt, readPrompt } from './prompt.ts';

/**
 * Reads the prompt, and logs warnings about it.
 *
 * @throws InputError if the prompt is invalid
 * @throws the reason of the runner's signal
 */
export async function preparePrompt(
  { source, variables }: AgentInputs,
  { environment, signal, log }: Pick<Runner, 'environment' | 'signal' | 'log'>,
  state: AgentState,
): Promise<AskedSource<string>> {
  if (source.kind === 'attach') {
    if (variables !== '') {
      log.warning('Input variables is not used, because there is no prompt.');
    }
    return source;
  }
  const prompt = await readPrompt(source.prompt, variables, { ...environment, signal });
  state.learn({ prompt });
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
  log.debug(
    `The prompt comes from ${prompt.origin.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
}
