import { type AgentInputs, readAgentInputs } from '../../src/agent/inputs.ts';
import { passedInputs } from './fake-runner.ts';

/** The agent's inputs for a new job, with changes. */
export function agentInputs(values: Readonly<Record<string, string>> = {}): AgentInputs {
  return readAgentInputs(
    passedInputs({ prompt: 'Do it', 'api-key': 'mint_key', 'project-id': 'acme', ...values }),
  );
}
