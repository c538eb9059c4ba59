import type { Granted } from './access.ts';
import type { AgentInputs } from './inputs.ts';
import type { Prompt } from './prompt/prompt.ts';

/** What a run is asked for. */
export interface Request {
  readonly access: Granted;
  readonly inputs: AgentInputs;
  /** `undefined` if the step only waits for a job. */
  readonly prompt: Prompt | undefined;
}
