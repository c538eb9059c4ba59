import type { Runner } from '../../runner/step.ts';
import { counted, listed } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { JobSource } from '../job/source.ts';
import type { AgentState } from '../state.ts';
import { describeRemoved, type Prompt, readPrompt } from './prompt.ts';

/**
 * Reads the prompt that the inputs name, and reports what people should know about it.
 *
 * @throws InputError when the prompt cannot be used
 */
export async function preparePrompt(
  { source, variables }: AgentInputs,
  { environment, log }: Pick<Runner, 'environment' | 'log'>,
  state: AgentState,
): Promise<JobSource<string>> {
  if (source.kind === 'attach') {
    if (variables !== '') {
      log.warning('Input variables is not used: without a prompt nothing is sent.');
    }
    return source;
  }
  const prompt = await readPrompt(source.prompt, variables, environment);
  state.learn({ prompt });
  report(prompt, variables, log);
  return { ...source, prompt: prompt.text };
}

function report(prompt: Prompt, variables: string, log: Runner['log']): void {
  for (const name of prompt.unusedVariables) {
    log.warning(`Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`);
  }
  const missed = prompt.unfilled.map((name) => `{{${name}}}`);
  if (missed.length > 0 && variables !== '') {
    log.warning(`The prompt still holds ${listed(missed)}: variables has no value for that.`);
  }
  const removed = describeRemoved(prompt.removed);
  if (removed !== '') {
    log.info(`Taken out of event text: ${removed}.`);
  }
  log.debug(
    `The prompt comes from ${prompt.origin.input} and has ${counted(prompt.characters, 'character')}, SHA-256 ${prompt.sha256}.`,
  );
}
