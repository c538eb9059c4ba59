import type { Granted } from './access.ts';
import type { AgentInputs } from './inputs.ts';
import type { Prompt } from './prompt/prompt.ts';

/** What a run is asked for. */
export interface Request {
  readonly access: Granted;
  readonly inputs: AgentInputs;
  /** `undefined` if the step only waits for a job. */
  readonly prompt: Prompt | undefined;
  /** `owner/name` of the workflow's repository. */
  readonly repository: string;
}

/** The repository whose pull requests are searched for the label. */
export function docsRepositoryOf({ inputs, repository }: Request): string {
  return inputs.docsRepository || repository;
}
